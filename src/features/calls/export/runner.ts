import type { Job } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import { StoreError, UndecryptableError } from '../../../store/errors.ts'
import { tenantKey } from '../../../store/tenant.ts'
import { ExportMaker, type ExportRun } from './maker.ts'
import { type ExportOutcome, failureOutcome } from './outcome.ts'
import { ProgressMessage } from './progress-message.ts'
import type { ExportQueue } from './queue.ts'
import { auditDetail, subjectOf } from './subject.ts'
import { Watch } from './watch.ts'
import {
  cancelledMessage,
  givenUpMessage,
  interruptedMessage,
  progressMessage,
  sentMessage,
  unconfirmedMessage,
} from './words.ts'

type RunnerServices = ConstructorParameters<typeof ExportMaker>[0] &
  Pick<Services, 'config' | 'metrics' | 'backgroundWebApi' | 'log'>

/** The store failed; what a record holds makes no difference to that. */
const isForAnotherTry = (error: unknown) =>
  error instanceof StoreError && !(error instanceof UndecryptableError)

/**
 * Runs the job of an export. However often it runs, and whatever is killed when, at most one file is sent: where a process
 * was killed just as it was, the person is told to look.
 */
export class ExportRunner {
  readonly #services
  readonly #queue
  readonly #maker

  constructor(services: RunnerServices, queue: ExportQueue) {
    this.#services = services
    this.#queue = queue
    this.#maker = new ExportMaker(services)
  }

  async run(job: Job, ending: AbortSignal): Promise<void> {
    const { store, metrics, log } = this.#services
    const { tenant: team, id } = this.#queue.readJob(job)
    const tenant = tenantKey(team)
    const record = await store.exports.get(tenant, id)
    // Cancelled, or its process was killed just after its end.
    if (!record) return this.#queue.advance(tenant)
    const message = new ProgressMessage(this.#services, record)
    const run: ExportRun = {
      record,
      subject: subjectOf(record),
      message,
      total: record.total,
      read: 0,
      found: 0,
      isRead: false,
    }
    const { name, message: last } = await this.#outcomeOf(run, ending)
    metrics.count('exports_total', { outcome: name })
    metrics.count('export_records_total', {}, run.read)
    log.info({ outcome: name, records: run.read }, 'export')
    await message.end(last)
    await this.#queue.remove(record)
  }

  /** What can't be done however often it is tried. */
  async giveUp(job: Job): Promise<void> {
    const { tenant, id } = this.#queue.readJob(job)
    const record = await this.#services.store.exports.get(tenantKey(tenant), id)
    await this.#queue.remove({ tenant, id })
    if (record) await new ProgressMessage(this.#services, record).end(givenUpMessage())
  }

  async #outcomeOf(run: ExportRun, ending: AbortSignal): Promise<ExportOutcome> {
    const { exported, zoneText, clockNote } = run.subject
    switch (run.record.state) {
      case 'cancelled':
        return { name: 'cancelled', message: cancelledMessage(exported) }
      case 'sent':
        return { name: 'sent', message: sentMessage(exported, zoneText, clockNote) }
      case 'sending':
        await this.#auditUnconfirmed(run)
        return { name: 'unconfirmed', message: unconfirmedMessage(exported, run.subject) }
      case 'waiting':
      case 'reading':
        return this.#attempt(run, ending)
    }
  }

  async #attempt(run: ExportRun, ending: AbortSignal): Promise<ExportOutcome> {
    const { store, metrics, log } = this.#services
    const { record, subject, message } = run
    const { exported } = subject
    const isAgain = record.state === 'reading'
    const show = () => message.show(progressMessage(exported, { ...run, id: record.id, isAgain }))
    const isCancelled = async () => {
      const now = await store.exports.get(tenantKey(record.tenant), record.id)
      return now === undefined || now.state === 'cancelled'
    }
    const watch = new Watch({ ending, show, isCancelled }, log)
    try {
      return await this.#maker.make(run, watch.signal)
    } catch (error) {
      const cause: unknown = watch.signal.aborted ? watch.signal.reason : error
      if (ending.aborted || isForAnotherTry(cause)) {
        // It runs again: here, or in another process.
        metrics.count('exports_total', { outcome: 'interrupted' })
        metrics.count('export_records_total', {}, run.read)
        await watch.stop()
        if (ending.aborted) await message.show(interruptedMessage(exported, record.id))
        throw cause
      }
      return this.#failed(run, cause)
    } finally {
      await watch.stop()
    }
  }

  #failed({ record, subject, read }: ExportRun, cause: unknown): ExportOutcome {
    const { log, config } = this.#services
    const { supportUrl, slack } = config
    const reference = record.id.slice(-8)
    const installUrl = slack.oauth && `${slack.oauth.publicUrl}/slack/install`
    const { exported } = subject
    const setting = { exported, again: subject, read, reference, installUrl, supportUrl }
    const outcome = failureOutcome(cause, setting)
    const level = outcome.name === 'error' ? 'error' : 'info'
    log[level]({ err: cause, reference }, 'an export ended early')
    return outcome
  }

  /** Of a process that was killed: the person may not be there any more. */
  async #auditUnconfirmed({ record, subject }: ExportRun): Promise<void> {
    const detail = auditDetail(subject, subject.exported.total, 'unknown')
    await this.#services.audit.recordInNameOf(record.person, tenantKey(record.tenant), 'export calls', detail)
  }
}
