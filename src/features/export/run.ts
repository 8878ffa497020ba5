import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { StoreError, UnreadableRecordError } from '../../store/errors.ts'
import { tenantKey } from '../../store/tenant.ts'
import { hasDigits } from '../../telephony/lines.ts'
import type { Account, Call, ScanProgress } from '../../telephony/types.ts'
import { findAgentNames } from '../calls/call-lists.ts'
import { toScanQueries } from '../calls/query.ts'
import type { Exports } from './exports.ts'
import { createCsv, formatFileName } from './file.ts'
import { ExportLimitError, type FileMemory, fileBytes, MAX_CALLS, MAX_RUN_MS } from './limits.ts'
import { ExportMessage, withTries } from './message.ts'
import type { ExportRecord } from './record.ts'
import { type ExportState, exportDetail, exportMessage, toFailedState } from './view.ts'

/** Two exports take half of Slack's limit: https://docs.slack.dev/reference/methods/chat.update, Tier 3. */
const CHECKS_PER_UPDATE = 5

interface UploadedFile {
  readonly id: string
  readonly name: string
  readonly actor: Actor
}

/** The store failed, which says nothing about the export. */
const isStoreFailure = (error: unknown) =>
  error instanceof StoreError && !(error instanceof UnreadableRecordError)

/** Reads the calls of an export into a file and sends it. */
export class ExportRun {
  readonly #services
  readonly #exports
  readonly #memory
  readonly #record
  readonly #message
  readonly #ended = new AbortController()
  readonly #deadline = performance.now() + MAX_RUN_MS
  #progress: Extract<ExportState, { name: 'waiting' | 'reading' | 'uploading' }>
  /** Number of calls in the file. */
  #found = 0

  constructor(
    services: Services,
    { exports, memory }: { readonly exports: Exports; readonly memory: FileMemory },
    record: ExportRecord,
  ) {
    this.#services = services
    this.#exports = exports
    this.#memory = memory
    this.#record = record
    this.#message = new ExportMessage(services, record)
    this.#progress = { name: 'reading', read: 0, total: record.total }
  }

  /** @throws if the job has to run again */
  async run(ending: AbortSignal): Promise<void> {
    const finish = await this.#prepare(ending)
    // Without its record, the export can't run again: at most one file is sent, whenever this process is killed.
    const isWanted = await this.#exports.delete(this.#record)
    const state = isWanted
      ? await finish().catch((error: unknown) => this.#fail(error))
      : ({ name: 'cancelled' } as const)
    const outcome = state.name === 'failed' ? state.kind : state.name
    this.#count(outcome)
    this.#services.log.info({ outcome, records: this.#progress.read }, 'export')
    await this.#message.showEnd(exportMessage(this.#record, state))
  }

  /** Does everything that can be repeated. @returns the last step */
  async #prepare(ending: AbortSignal): Promise<() => Promise<ExportState>> {
    const signal = AbortSignal.any([ending, this.#ended.signal])
    const stopped = new AbortController()
    const watching = this.#watch(stopped.signal)
    try {
      const file = await this.#upload(signal)
      return file ? () => this.#share(file) : async () => ({ name: 'empty' })
    } catch (error) {
      const cause: unknown = signal.aborted ? signal.reason : error
      if (!ending.aborted && !isStoreFailure(cause)) return async () => this.#fail(cause)
      this.#count('interrupted')
      throw cause
    } finally {
      stopped.abort()
      // A late update would replace the final message.
      await watching
    }
  }

  async #upload(signal: AbortSignal): Promise<UploadedFile | undefined> {
    const { background, files, workspaces, now } = this.#services
    const { tenant: team, person, query, zone, total } = this.#record
    await background.guards.admit(team, person, 'export')
    const maxBytes = fileBytes(total)
    this.#progress = { ...this.#progress, name: 'waiting' }
    await this.#memory.reserve(maxBytes, signal)
    try {
      this.#progress = { ...this.#progress, name: 'reading' }
      const [account, lines] = await Promise.all([
        workspaces.account(tenantKey(team)),
        workspaces.lineNames(tenantKey(team)),
      ])
      const agentNames = await findAgentNames(this.#services, account)
      const context = {
        zone,
        getLineName: lines.getName,
        getAgentName: (login: string) => agentNames.get(login),
      }
      const content = await createCsv(this.#calls(account, signal), context, { maxBytes, signal })
      if (this.#found === 0) return undefined
      this.#progress = { ...this.#progress, name: 'uploading' }
      // The right to export may have been withdrawn while the calls were read.
      const admit = () => background.guards.admit(team, person, 'export', { afresh: true })
      const actor = await withTries(admit, signal)
      const { botToken: token } = actor.installation
      const name = formatFileName(query, zone, new Date(now()), lines)
      const upload = () => files.upload(token, { name, bytes: content.length, content, signal })
      return { id: await withTries(upload, signal), name, actor }
    } finally {
      this.#memory.release(maxBytes)
    }
  }

  async #share({ actor, ...file }: UploadedFile): Promise<ExportState> {
    const { files, audit, log } = this.#services
    const { channel } = this.#record.message
    const result = await withTries(() => files.share(actor.installation.botToken, file, channel))
    const detail = exportDetail({ ...this.#record, total: this.#found }, result)
    await audit.record(actor, 'export calls', { detail }).catch((error: unknown) => {
      // The file has arrived, and the log has the entry.
      log.error({ err: error }, 'audit entry of an export not stored')
    })
    return result === 'unknown' ? { name: 'unconfirmed' } : { name: 'sent', calls: this.#found }
  }

  #fail(error: unknown): ExportState {
    const { log, config } = this.#services
    const reference = this.#record.id.slice(-8)
    const state = toFailedState(error, { reference, config })
    log[state.kind === 'error' ? 'error' : 'info']({ err: error, reference }, 'export ended early')
    return state
  }

  async *#calls(account: Account, signal: AbortSignal): AsyncGenerator<Call, void> {
    const { query, zone, askedAt, total: counted } = this.#record
    const options = {
      isInOrder: true,
      limit: counted === undefined ? MAX_CALLS : undefined,
      signal,
      onProgress: ({ records: read, total = this.#progress.total }: ScanProgress) => {
        this.#progress = { name: 'reading', read, total }
      },
    }
    const queries = toScanQueries(query, zone, new Date(askedAt))
    for await (const { calls } of this.#services.telephony.readCalls(account, queries, options)) {
      for (const call of calls) {
        if (query.number !== undefined && !hasDigits(call.number, query.number)) continue
        this.#found += 1
        yield call
      }
    }
  }

  /** Ends the export once its record was deleted or it takes too long, and shows its progress. */
  async #watch(stopped: AbortSignal): Promise<void> {
    const { log, exportCheckMs } = this.#services
    for (let check = 0; !stopped.aborted; check += 1) {
      try {
        if (performance.now() > this.#deadline) this.#ended.abort(new ExportLimitError('too-slow'))
        else if (!(await this.#exports.get(this.#record))) this.#ended.abort()
        else if (check % CHECKS_PER_UPDATE === 0)
          await this.#message.show(exportMessage(this.#record, this.#progress))
      } catch (error) {
        log.warn({ err: error }, 'export not checked')
      }
      await sleep(exportCheckMs, undefined, { signal: stopped }).catch(() => {})
    }
  }

  #count(outcome: string): void {
    this.#services.metrics.count('exports_total', { outcome })
    this.#services.metrics.count('export_records_total', {}, this.#progress.read)
  }
}
