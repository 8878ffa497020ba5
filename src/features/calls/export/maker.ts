import type { Services } from '../../../services.ts'
import type { Actor } from '../../../slack/access/guards.ts'
import { type ExportRecord, moveExport } from '../../../store/exports.ts'
import { tenantKey } from '../../../store/tenant.ts'
import { ReadingCutError } from '../../../telephony/errors.ts'
import { hasDigits } from '../../../telephony/match-number.ts'
import type { Call, ScanProgress } from '../../../telephony/types.ts'
import { csvRows, writeCsv } from '../../../util/csv.ts'
import { TemporaryFile } from '../../../util/temporary-file.ts'
import { fileColumns } from '../columns.ts'
import { emptyText } from '../summary.ts'
import { share, upload, withTries } from './delivery.ts'
import type { ExportOutcome } from './outcome.ts'
import type { ProgressMessage } from './progress-message.ts'
import { auditDetail, type ExportSubject, fileName, scanQueries } from './subject.ts'
import { ExportEndedError } from './watch.ts'
import { mostCalls, nothingMessage, sentMessage, unconfirmedMessage } from './words.ts'

/** An export under way. */
export interface ExportRun {
  readonly record: ExportRecord
  readonly subject: ExportSubject
  readonly message: ProgressMessage
  /** As the service counts them. */
  total: number | undefined
  /** How many calls were read. */
  read: number
  /** How many of these are in the file. */
  found: number
  /** Whether that is all of them. */
  isRead: boolean
}

/** Makes the file of an export and sends it, at most once. */
export class ExportMaker {
  readonly #services

  constructor(
    services: Pick<Services, 'store' | 'guards' | 'workspaces' | 'telephony' | 'files' | 'audit' | 'now'>,
  ) {
    this.#services = services
  }

  /** @throws what went wrong: then nothing was sent. The signal's reason, {ExportEndedError} */
  async make(run: ExportRun, signal: AbortSignal): Promise<ExportOutcome> {
    const { store, guards, files, now } = this.#services
    const { record, subject } = run
    const { exported, zone, query, zoneText, clockNote } = subject
    const { tenant: team, person } = record
    await this.#move(run, ['waiting', 'reading'], 'reading')
    await guards.admit(team, person, 'export')
    const file = await TemporaryFile.open()
    try {
      await this.#read(run, file, signal)
      if (run.found === 0) return { name: 'empty', message: nothingMessage(emptyText(query)) }
      run.isRead = true
      // Whoever may no longer export calls gets none, however long it took to read them.
      const admit = () => guards.admit(team, person, 'export', { afresh: true })
      const actor = await withTries(admit, signal)
      const { botToken: token } = actor.installation
      const name = fileName(query, zone, new Date(now()))
      const uploaded = await upload(files, { token, name, file, signal })
      await this.#move(run, ['reading'], 'sending')
      const result = await share(files, { token, file: uploaded, channel: record.message.channel })
      await this.#audit(run, actor, result)
      if (result === 'unknown') return { name: 'unconfirmed', message: unconfirmedMessage(exported, subject) }
      await moveExport(store.exports, record, ['sending'], 'sent')
      return { name: 'sent', message: sentMessage({ ...exported, total: run.found }, zoneText, clockNote) }
    } finally {
      await file.close()
    }
  }

  async #read(run: ExportRun, file: TemporaryFile, signal: AbortSignal): Promise<void> {
    const { workspaces, telephony } = this.#services
    const { record, subject } = run
    const account = await workspaces.account(tenantKey(record.tenant))
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
    const { nameOf: lineName } = await workspaces.lineNames(tenantKey(record.tenant))
    const setting = { zone: subject.zone, lineName }
    try {
      await writeCsv(csvRows(fileColumns, found(), setting), (chunk) => file.append(chunk), signal)
    } catch (error) {
      throw error instanceof ReadingCutError ? new ExportEndedError('too-many') : error
    }
  }

  /** @throws {ExportEndedError} where it was cancelled meanwhile */
  async #move(
    { record }: ExportRun,
    from: readonly ExportRecord['state'][],
    to: ExportRecord['state'],
  ): Promise<void> {
    const moved = await moveExport(this.#services.store.exports, record, from, to)
    if (!moved?.isMoved) throw new ExportEndedError('cancelled')
  }

  async #audit({ subject, found }: ExportRun, actor: Actor, result: 'shared' | 'unknown'): Promise<void> {
    await this.#services.audit.record(actor, 'export calls', auditDetail(subject, found, result))
  }
}
