import type { FileHandle } from 'node:fs/promises'
import type { Services } from '../../../services.ts'
import { StoreError, UnreadableRecordError } from '../../../store/errors.ts'
import { type ExportRecord, moveExport } from '../../../store/exports.ts'
import { tenantKey } from '../../../store/tenant.ts'
import { TelephonyError } from '../../../telephony/errors.ts'
import type { LineNames } from '../../../telephony/lines.ts'
import { hasDigits } from '../../../telephony/numbers.ts'
import type { Account, Call, ScanProgress } from '../../../telephony/types.ts'
import { csvRows, writeCsv } from '../../../util/csv.ts'
import type { Milliseconds } from '../../../util/units.ts'
import { fileColumns } from '../columns.ts'
import { toScanQueries } from '../query.ts'
import { ExportMessage, withTries } from './message.ts'
import { ExportEndedError, fileName, subjectOf } from './subject.ts'
import { contentOf, openTemporaryFile } from './temporary-file.ts'
import { auditDetail, type ExportState, exportMessage, failedState, mostCalls } from './view.ts'

const checkEveryMs: Milliseconds = 500
/** Two of a workspace take half of what Slack takes there: https://docs.slack.dev/reference/methods/chat.update, Tier 3. */
const showEveryMs: Milliseconds = 5000
const longestMs: Milliseconds = 60 * 60_000

/** The store failed; what a record holds makes no difference to that. */
const isForAnotherTry = (error: unknown) =>
  error instanceof StoreError && !(error instanceof UnreadableRecordError)

/**
 * One run of the job of an export. However often it runs, and whatever is killed when, at most one file is sent: where a
 * process was killed just as it was, the person is asked to check.
 */
export class ExportRun {
  readonly #services
  readonly #record
  readonly #tenant
  readonly #subject
  readonly #message
  readonly #ended = new AbortController()
  readonly #deadline = performance.now() + longestMs
  /** `read` and `total` as the service counts them. */
  #progress: Pick<ScanProgress, 'total'> & { readonly name: 'reading' | 'uploading'; readonly read: number }
  /** How many of the calls that were read are in the file. */
  #found = 0

  constructor(services: Services, record: ExportRecord) {
    this.#services = services
    this.#record = record
    this.#tenant = tenantKey(record.tenant)
    this.#subject = subjectOf(record)
    this.#message = new ExportMessage(services, record)
    this.#progress = { name: 'reading', read: 0, total: record.total }
  }

  /** @returns whether its end is shown; otherwise another process went on with it @throws where it is to run again */
  async run(ending: AbortSignal): Promise<boolean> {
    const state = await this.#end(ending)
    if (!state) return false
    const outcome = state.name === 'failed' ? state.kind : state.name
    this.#count(outcome)
    this.#services.log.info({ outcome, records: this.#progress.read }, 'export')
    await this.#message.end(exportMessage(this.#subject, state))
    return true
  }

  async #end(ending: AbortSignal): Promise<ExportState | undefined> {
    const { person, state } = this.#record
    switch (state) {
      case 'cancelled':
        return { name: 'cancelled' }
      case 'sent':
        return { name: 'sent', calls: undefined }
      case 'sending': {
        // Its process was killed: the person may not be there any more.
        const detail = auditDetail(this.#subject, 'unknown')
        await this.#services.audit.recordInNameOf(person, this.#tenant, 'export calls', { detail })
        return { name: 'unconfirmed' }
      }
      default:
        return this.#attempt(ending)
    }
  }

  async #attempt(ending: AbortSignal): Promise<ExportState | undefined> {
    const { log, config } = this.#services
    const signal = AbortSignal.any([ending, this.#ended.signal])
    const tasks: (() => Promise<void>)[] = []
    const stop = () => Promise.all(tasks.map((stopTask) => stopTask()))
    try {
      await this.#move(['waiting', 'reading'], 'reading')
      // Not before it has begun: one that was cancelled by then shows nothing else.
      tasks.push(
        this.#repeat(() => this.#check(), checkEveryMs),
        this.#repeat(() => this.#show(), showEveryMs),
      )
      return await this.#send(signal)
    } catch (error) {
      const cause: unknown = signal.aborted ? signal.reason : error
      const isAgain = ending.aborted || isForAnotherTry(cause)
      const ended = isAgain ? undefined : await this.#whyEnded()
      const why = cause instanceof ExportEndedError ? cause.why : ended
      if (why === 'lost') return undefined
      if (why === 'cancelled') return { name: 'cancelled' }
      if (isAgain) {
        this.#count('interrupted')
        await stop()
        // Where another process has ended it already, its message stays.
        if (ending.aborted && !(await this.#whyEnded()))
          await this.#message.show(exportMessage(this.#subject, { name: 'restarting' }))
        throw cause
      }
      const reference = this.#record.id.slice(-8)
      const state = failedState(cause, { reference, config })
      log[state.kind === 'error' ? 'error' : 'info']({ err: cause, reference }, 'an export ended early')
      return state
    } finally {
      await stop()
    }
  }

  /** Makes the file and sends it, at most once. @throws what went wrong: then nothing was sent */
  async #send(signal: AbortSignal): Promise<ExportState> {
    const { store, background, files, audit, now } = this.#services
    const { tenant: team, person, message } = this.#record
    const { query, zone } = this.#subject
    await background.guards.admit(team, person, 'export')
    const file = await openTemporaryFile()
    try {
      const lines = await this.#services.workspaces.lineNames(this.#tenant)
      await this.#read(file, lines, signal)
      if (this.#found === 0) return { name: 'empty' }
      this.#progress = { ...this.#progress, name: 'uploading' }
      // Whoever may no longer export calls gets none, however long it took to read them.
      const admit = () => background.guards.admit(team, person, 'export', { afresh: true })
      const actor = await withTries(admit, signal)
      const { botToken: token } = actor.installation
      const name = fileName(query, zone, new Date(now()), lines)
      const { size: bytes } = await file.stat()
      const upload = () => files.upload(token, { name, bytes, content: contentOf(file, signal), signal })
      const id = await withTries(upload, signal)
      await this.#move(['reading'], 'sending')
      const result = await withTries(() => files.share(token, { id, name }, message.channel))
      const calls = this.#found
      const detail = auditDetail({ ...this.#subject, total: calls }, result)
      await audit.record(actor, 'export calls', { detail })
      if (result === 'unknown') return { name: 'unconfirmed' }
      await moveExport(store.exports, this.#record, ['sending'], 'sent')
      return { name: 'sent', calls }
    } finally {
      await file.close()
    }
  }

  async #read(file: FileHandle, { nameOf: lineName }: LineNames, signal: AbortSignal): Promise<void> {
    const account = await this.#services.workspaces.account(this.#tenant)
    const agentName = await this.#agentNames(account)
    const setting = { zone: this.#subject.zone, lineName, agentName }
    const rows = csvRows(fileColumns, this.#calls(account, signal), setting)
    await writeCsv(rows, (chunk) => file.appendFile(chunk), signal)
  }

  /** Whose login answered a call. */
  async #agentNames(account: Account): Promise<(login: string) => string | undefined> {
    const { agentList, log } = this.#services
    const names = new Map<string, string>()
    try {
      for (const { sipLogin, name } of await agentList.list(account))
        if (sipLogin !== '' && name !== '') names.set(sipLogin, name)
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      // The calls may still be had: their logins say as much.
      log.info({ err: error }, 'an export has no names of agents')
    }
    return (login) => names.get(login)
  }

  async *#calls(account: Account, signal: AbortSignal): AsyncGenerator<Call, void> {
    const { telephony } = this.#services
    const { query, zone } = this.#subject
    const options = {
      isInOrder: true,
      limit: this.#record.total === undefined ? mostCalls : undefined,
      signal,
      onProgress: ({ records: read, total }: ScanProgress) => {
        // What is still to be read in the other direction was counted when it was asked for.
        this.#progress = { name: 'reading', read, total: total ?? this.#progress.total }
      },
    }
    const queries = toScanQueries(query, zone, new Date(this.#record.askedAt))
    for await (const { calls } of telephony.readCalls(account, queries, options)) {
      for (const call of calls) {
        if (query.number !== undefined && !hasDigits(call.number, query.number)) continue
        this.#found += 1
        yield call
      }
    }
  }

  /** Does it now and again, one at a time. @returns ends that, once it is not in flight any more */
  #repeat(task: () => Promise<void>, everyMs: Milliseconds): () => Promise<void> {
    let inFlight: Promise<void> | undefined
    const once = async () => {
      await task().catch((err: unknown) => {
        this.#services.log.warn({ err }, 'an export could not be monitored')
      })
      inFlight = undefined
    }
    inFlight = once()
    const timer = setInterval(() => {
      inFlight ??= once()
    }, everyMs)
    return async () => {
      clearInterval(timer)
      await inFlight
    }
  }

  async #check(): Promise<void> {
    const why = performance.now() > this.#deadline ? 'too-slow' : await this.#whyEnded()
    if (why) this.#ended.abort(new ExportEndedError(why))
  }

  async #show(): Promise<void> {
    // A process that was stopped for a while may come back to a message that shows the end by now.
    if (await this.#whyEnded()) return
    const isAgain = this.#record.state === 'reading'
    await this.#message.show(exportMessage(this.#subject, { ...this.#progress, isAgain }))
  }

  #count(outcome: string): void {
    this.#services.metrics.count('exports_total', { outcome })
    this.#services.metrics.count('export_records_total', {}, this.#progress.read)
  }

  /** One whose record is gone is another process's, unless all of the workspace was deleted. */
  async #whyEnded(): Promise<'cancelled' | 'lost' | undefined> {
    const { store, workspaces } = this.#services
    const now = await store.exports.get(this.#tenant, this.#record.id)
    if (now) return now.state === 'cancelled' ? 'cancelled' : undefined
    return (await workspaces.connectedBy(this.#tenant)) === undefined ? 'cancelled' : 'lost'
  }

  /** @throws {ExportEndedError} where it was cancelled meanwhile, or another process went on with it */
  async #move(from: readonly ExportRecord['state'][], to: ExportRecord['state']): Promise<void> {
    const moved = await moveExport(this.#services.store.exports, this.#record, from, to)
    if (!moved?.isMoved) throw new ExportEndedError((await this.#whyEnded()) ?? 'lost')
  }
}
