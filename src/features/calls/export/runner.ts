import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import { SlackUnavailableError } from '../../../slack/api/web-api.ts'
import { StoreError, UndecryptableError } from '../../../store/errors.ts'
import { type ExportRecord, moveExport } from '../../../store/exports.ts'
import { tenantKey } from '../../../store/tenant.ts'
import { ReadingCutError } from '../../../telephony/errors.ts'
import { hasDigits } from '../../../telephony/match-number.ts'
import type { Call, ScanProgress } from '../../../telephony/types.ts'
import { csvRows, writeCsv } from '../../../util/csv.ts'
import type { Milliseconds } from '../../../util/units.ts'
import { fileColumns } from '../columns.ts'
import { ExportEndedError, ExportMonitor, ProgressMessage } from './monitor.ts'
import type { ExportQueue } from './queue.ts'
import { type ExportSubject, fileName, scanQueries, subjectOf } from './subject.ts'
import { TemporaryFile } from './temporary-file.ts'
import {
  auditDetail,
  type ExportState,
  exportMessage,
  failedState,
  givenUpMessage,
  mostCalls,
} from './view.ts'

/** An export under way. */
interface ExportRun {
  readonly record: ExportRecord
  readonly subject: ExportSubject
  readonly isAgain: boolean
  /** As the service counts them. */
  total: number | undefined
  /** How many calls were read. */
  read: number
  /** How many of these are in the file. */
  found: number
  /** Whether that is all of them. */
  isRead: boolean
}

/** The store failed; what a record holds makes no difference to that. */
const isForAnotherTry = (error: unknown) =>
  error instanceof StoreError && !(error instanceof UndecryptableError)

/**
 * Runs the job of an export. However often it runs, and whatever is killed when, at most one file is sent: where a process
 * was killed just as it was, the person is asked to check.
 */
export class ExportRunner {
  readonly #services
  readonly #queue

  constructor(services: Services, queue: ExportQueue) {
    this.#services = services
    this.#queue = queue
  }

  async run(job: Job, ending: AbortSignal): Promise<void> {
    const { store, log } = this.#services
    const { tenant: team, id } = this.#queue.readJob(job)
    const tenant = tenantKey(team)
    const record = await store.exports.get(tenant, id)
    // Its process was killed just after its end.
    if (!record) return this.#queue.advance(tenant)
    const { total } = record
    const counts = { total, read: 0, found: 0, isRead: false }
    const run: ExportRun = {
      record,
      subject: subjectOf(record),
      isAgain: record.state === 'reading',
      ...counts,
    }
    const message = new ProgressMessage(this.#services, record)
    const state = await this.#endOf(run, message, ending)
    // Whoever has it now shows its end.
    if (!state) return this.#queue.advance(tenant)
    const outcome = state.name === 'failed' ? state.kind : state.name
    this.#count(outcome, run.read)
    log.info({ outcome, records: run.read }, 'export')
    await message.end(exportMessage(run.subject, state))
    await this.#queue.remove(record)
  }

  /** What can't be done however often it is tried. */
  async giveUp(job: Job): Promise<void> {
    const { tenant, id } = this.#queue.readJob(job)
    const record = await this.#services.store.exports.get(tenantKey(tenant), id)
    await this.#queue.remove({ tenant, id })
    if (record) await new ProgressMessage(this.#services, record).end(givenUpMessage())
  }

  /** @returns `undefined` where another process went on with it */
  async #endOf(
    run: ExportRun,
    message: ProgressMessage,
    ending: AbortSignal,
  ): Promise<ExportState | undefined> {
    const { record, subject } = run
    switch (record.state) {
      case 'cancelled':
        return { name: 'cancelled' }
      case 'sent':
        return { name: 'sent', calls: undefined }
      case 'sending': {
        // Its process was killed: the person may not be there any more.
        const detail = auditDetail(subject, 'unknown')
        const tenant = tenantKey(record.tenant)
        await this.#services.audit.recordInNameOf(record.person, tenant, 'export calls', detail)
        return { name: 'unconfirmed' }
      }
      case 'waiting':
      case 'reading':
        return this.#attempt(run, message, ending)
    }
  }

  async #attempt(
    run: ExportRun,
    message: ProgressMessage,
    ending: AbortSignal,
  ): Promise<ExportState | undefined> {
    const { log, config } = this.#services
    const { record, subject } = run
    const show = () =>
      message.show(exportMessage(subject, { ...run, name: run.isRead ? 'uploading' : 'reading' }))
    const monitor = new ExportMonitor({ show, check: () => this.#whyOver(record) }, { ending, log })
    try {
      return await this.#send(run, monitor.signal)
    } catch (error) {
      const cause: unknown = monitor.signal.aborted ? monitor.signal.reason : error
      if (cause instanceof ExportEndedError && cause.why === 'lost') return undefined
      if (ending.aborted || isForAnotherTry(cause)) {
        // It runs again: here, or in another process.
        this.#count('interrupted', run.read)
        await monitor.stop()
        // Where another process has ended it already, its message stays.
        if (ending.aborted && !(await this.#whyOver(record)))
          await message.show(exportMessage(subject, { name: 'restarting' }))
        throw cause
      }
      const reference = record.id.slice(-8)
      const { supportUrl, slack } = config
      const installUrl = slack.oauth && `${slack.oauth.publicUrl}/slack/install`
      const state = failedState(cause, { read: run.read, reference, installUrl, supportUrl })
      const level = state.name === 'failed' && state.kind === 'error' ? 'error' : 'info'
      log[level]({ err: cause, reference }, 'an export ended early')
      return state
    } finally {
      await monitor.stop()
    }
  }

  #count(outcome: string, read: number): void {
    this.#services.metrics.count('exports_total', { outcome })
    this.#services.metrics.count('export_records_total', {}, read)
  }

  /** One whose record is gone is another process's, unless all of the workspace was deleted. */
  async #whyOver({ tenant: team, id }: ExportRecord): Promise<'cancelled' | 'lost' | undefined> {
    const { store, workspaces } = this.#services
    const tenant = tenantKey(team)
    const now = await store.exports.get(tenant, id)
    if (now) return now.state === 'cancelled' ? 'cancelled' : undefined
    return (await workspaces.connectedBy(tenant)) === undefined ? 'cancelled' : 'lost'
  }

  /** Makes the file and sends it, at most once. @throws what went wrong: then nothing was sent. The signal's reason, {ExportEndedError} */
  async #send(run: ExportRun, signal: AbortSignal): Promise<ExportState> {
    const { store, guards, files, audit, now } = this.#services
    const { record, subject } = run
    const { tenant: team, person } = record
    await this.#move(record, ['waiting', 'reading'], 'reading')
    await guards.admit(team, person, 'export')
    const file = await TemporaryFile.open()
    try {
      await this.#read(run, file, signal)
      if (run.found === 0) return { name: 'empty' }
      run.isRead = true
      // Whoever may no longer export calls gets none, however long it took to read them.
      const actor = await withTries(() => guards.admit(team, person, 'export', { afresh: true }), signal)
      const { botToken: token } = actor.installation
      const name = fileName(subject.query, subject.zone, new Date(now()))
      const upload = () =>
        files.upload(token, { name, bytes: file.size, content: file.content(signal), signal })
      const id = await withTries(upload, signal)
      await this.#move(record, ['reading'], 'sending')
      const result = await withTries(() => files.share(token, { id, name }, record.message.channel))
      await audit.record(actor, 'export calls', auditDetail({ ...subject, total: run.found }, result))
      if (result === 'unknown') return { name: 'unconfirmed' }
      await moveExport(store.exports, record, ['sending'], 'sent')
      return { name: 'sent', calls: run.found }
    } finally {
      await file.close()
    }
  }

  async #read(run: ExportRun, file: TemporaryFile, signal: AbortSignal): Promise<void> {
    const { workspaces, telephony } = this.#services
    const { record, subject } = run
    const tenant = tenantKey(record.tenant)
    const account = await workspaces.account(tenant)
    const { number } = subject.query
    const queries = scanQueries(subject, record.askedAt)
    const onProgress = ({ records, total }: ScanProgress) => {
      run.read = records
      // What is still to be read in the other direction was counted when it was asked for.
      run.total = total ?? run.total
    }
    const limit = record.total === undefined ? mostCalls : undefined
    async function* found(): AsyncGenerator<Call, void> {
      const options = { isInOrder: true, limit, signal, onProgress }
      for await (const { calls } of telephony.readCalls(account, queries, options)) {
        for (const call of calls) {
          if (number !== undefined && !hasDigits(call.number, number)) continue
          run.found += 1
          yield call
        }
      }
    }
    const { nameOf: lineName } = await workspaces.lineNames(tenant)
    const setting = { zone: subject.zone, lineName }
    try {
      await writeCsv(csvRows(fileColumns, found(), setting), (chunk) => file.append(chunk), signal)
    } catch (error) {
      throw error instanceof ReadingCutError ? new ExportEndedError('too-many') : error
    }
  }

  /** @throws {ExportEndedError} where it was cancelled meanwhile, or another process went on with it */
  async #move(
    record: ExportRecord,
    from: readonly ExportRecord['state'][],
    to: ExportRecord['state'],
  ): Promise<void> {
    const moved = await moveExport(this.#services.store.exports, record, from, to)
    if (!moved?.isMoved) throw new ExportEndedError((await this.#whyOver(record)) ?? 'lost')
  }
}

const mostTries = 3
const firstWaitMs: Milliseconds = 1000
const longestWaitMs: Milliseconds = 60_000

/** Nobody reads all the calls again because Slack stumbled: what did nothing is tried again. @throws what the last try throws, and the signal's reason */
async function withTries<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SlackUnavailableError) || attempt >= mostTries) throw error
      const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1)
      if (waitMs > longestWaitMs) throw error
      await sleep(waitMs, undefined, { signal })
    }
  }
}
