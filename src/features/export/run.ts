import { setTimeout as sleep } from 'node:timers/promises'
import { CallStateReader, findMissedCallId } from '../../query/call-states.ts'
import { findAgentNames } from '../../query/directory.ts'
import { toReadQueries } from '../../query/query.ts'
import { createSearchFilter } from '../../query/search.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { StoreError, UnreadableRecordError } from '../../store/errors.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { Account, ReadProgress } from '../../telephony/types.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { hourMs, type Milliseconds } from '../../util/units.ts'
import { type Exports, findQueue, retryWhileUnavailable } from './exports.ts'
import { createCsv, type ExportedCall, formatFileName } from './file.ts'
import type { ExportRecord, ExportState } from './record.ts'
import { describeWithCount, MAX_CALLS, toFailedState } from './view.ts'

const MAX_READING_MS: Milliseconds = hourMs
/** A workspace's three exports take three quarters of Slack's limit: https://docs.slack.dev/reference/methods/chat.update, Tier 3. */
const CHECKS_PER_UPDATE = 5

interface UploadedFile {
  readonly id: string
  readonly name: string
  readonly actor: Actor
}

/** False for a record that can't be read, because another try doesn't help. */
const isDatabaseFailure = (error: unknown) =>
  error instanceof StoreError && !(error instanceof UnreadableRecordError)

export class ExportRun {
  readonly #services
  readonly #exports
  readonly #record
  readonly #cancelled = new AbortController()
  #readCount = 0
  #exportedCount = 0

  constructor(services: Services, exports: Exports, record: ExportRecord) {
    this.#services = services
    this.#exports = exports
    this.#record = record
  }

  /** @throws if the job has to run again */
  async run(stopSignal: AbortSignal): Promise<void> {
    const prepared = await this.#prepare(stopSignal)
    const state = await this.#finish(prepared)
    const outcome = state.name === 'failed' ? state.kind : state.name
    this.#countOutcome(outcome)
    this.#services.log.info({ outcome, records: this.#readCount }, 'export')
    await this.#exports.showState(this.#record, state)
  }

  /** Can run again, because nobody sees an uploaded file before it is shared. @returns the final state if there is no file */
  async #prepare(stopSignal: AbortSignal): Promise<UploadedFile | ExportState> {
    const signal = AbortSignal.any([stopSignal, this.#cancelled.signal])
    const watchEnd = new AbortController()
    const watching = this.#watch(watchEnd.signal)
    try {
      return await this.#upload(signal)
    } catch (error) {
      // After an abort, the error may come from any request under way.
      const cause: unknown = signal.aborted ? signal.reason : error
      const mustRunAgain = stopSignal.aborted || isDatabaseFailure(cause)
      if (!mustRunAgain) return this.#fail(cause)
      this.#countOutcome('interrupted')
      throw cause
    } finally {
      watchEnd.abort()
      // A late update would replace the final message.
      await watching
    }
  }

  async #upload(signal: AbortSignal): Promise<UploadedFile | ExportState> {
    const { background, files, workspaces, now } = this.#services
    const { workspace, person, query, zone } = this.#record
    await background.guards.admit(workspace, person, 'export')
    const tenant = tenantKey(workspace)
    const [account, lines] = await Promise.all([
      workspaces.getAccount(tenant),
      workspaces.getLineNames(tenant),
    ])
    const context = { zone, lines, agentNames: await findAgentNames(this.#services, account) }
    const { maxBytes } = findQueue(this.#record)
    const content = await createCsv(this.#readCalls(account, signal), context, maxBytes)
    if (this.#exportedCount === 0) return { name: 'empty' }
    // The right to export may have been withdrawn while the calls were read.
    const admit = () => background.guards.admit(workspace, person, 'export', { afresh: true })
    const actor = await retryWhileUnavailable(admit, signal)
    const name = formatFileName(query, zone, new Date(now()), lines)
    const file = { name, content, signal }
    const id = await retryWhileUnavailable(() => files.upload(actor.installation.botToken, file), signal)
    return { id, name, actor }
  }

  async #finish(prepared: UploadedFile | ExportState): Promise<ExportState> {
    // Without its record, the export can't run again: at most one file is sent, whenever this process is killed.
    const isDeleted = await this.#exports.delete(this.#record)
    if (!isDeleted) return { name: 'cancelled' }
    if (!('id' in prepared)) return prepared
    try {
      return await this.#share(prepared)
    } catch (error) {
      return this.#fail(error)
    }
  }

  async #share({ actor, ...file }: UploadedFile): Promise<ExportState> {
    const { files, audit, log } = this.#services
    const { botToken } = actor.installation
    const { channel } = this.#record.message
    const result = await retryWhileUnavailable(() => files.share(botToken, file, channel))
    const isUnconfirmed = result === 'unknown'
    const calls = describeWithCount(this.#record, this.#exportedCount)
    const entry = `exported ${calls}${isUnconfirmed ? ', not confirmed by Slack' : ''}`
    await audit.record(actor, entry).catch((error: unknown) => {
      // The file has arrived, and the log has the entry.
      log.error({ err: error }, 'audit entry of an export not stored')
    })
    if (isUnconfirmed) return { name: 'unconfirmed' }
    return { name: 'sent', calls: this.#exportedCount }
  }

  #fail(error: unknown): ExportState {
    const { log, config } = this.#services
    const state = toFailedState(error, this.#record, config)
    const level = state.kind === 'error' ? 'error' : 'info'
    log[level]({ err: error, export: this.#record.id }, 'export ended early')
    return state
  }

  async *#readCalls(account: Account, signal: AbortSignal): AsyncGenerator<ExportedCall, void> {
    const { query, zone, askedAt, total, workspace, person } = this.#record
    const reader = new CallStateReader(this.#services)
    const options = {
      isInOrder: true,
      // A known total was compared with the limit before the export started.
      limit: total === undefined ? MAX_CALLS : undefined,
      budget: AbortSignal.timeout(MAX_READING_MS),
      signal,
      onProgress: ({ records }: ReadProgress) => {
        this.#readCount = records
      },
    }
    const range = toRangeRequest(zone, query, new Date(askedAt))
    const queries = toReadQueries(query, range)
    const filter = createSearchFilter(query, range, zone)
    for await (const { calls } of this.#services.telephony.readCalls(account, queries, options)) {
      const states = await reader.read(tenantKey(workspace), person, calls)
      for (const call of calls) {
        if (!filter.matches(call)) continue
        this.#exportedCount += 1
        yield { ...call, state: states.get(findMissedCallId(call) ?? '') }
      }
    }
  }

  /** Shows the progress until `end` aborts, and aborts the export once its record is deleted. */
  async #watch(end: AbortSignal): Promise<void> {
    const { log, exportCheckMs } = this.#services
    for (let check = 0; !end.aborted; check += 1) {
      try {
        const isCancelled = !(await this.#exports.get(this.#record))
        if (isCancelled) this.#cancelled.abort()
        else if (check % CHECKS_PER_UPDATE === 0)
          await this.#exports.showState(this.#record, { name: 'reading', calls: this.#readCount })
      } catch (error) {
        log.warn({ err: error }, 'export not checked')
      }
      await sleep(exportCheckMs, undefined, { signal: end }).catch(() => {})
    }
  }

  #countOutcome(outcome: string): void {
    this.#services.metrics.count('exports_total', { outcome })
    this.#services.metrics.count('export_records_total', {}, this.#readCount)
  }
}
