import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../services.ts'
import { postDirectMessage, updateMessage } from '../../slack/api/messages.ts'
import { SlackFailure } from '../../slack/api/slack-failure.ts'
import { withTeam } from '../../slack/blocks/block-team.ts'
import { Rows } from '../../store/engine/rows.ts'
import { StoreError } from '../../store/errors.ts'
import { scopedKey, tenantKey } from '../../store/tenant.ts'
import { backoff, dayMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import * as records from './record.ts'
import { exportMessage, MAX_CALLS, toFailedState } from './view.ts'

/** Outlives the retries of an export's job. */
const RECORD_TTL_MS: Milliseconds = 3 * dayMs
/** Ends the claim of a process that was killed before it released it. */
const START_CLAIM_TTL_MS: Milliseconds = minuteMs

const schema = records.exportJobSchema
const shortQueue = { name: 'exports', schema, perTenant: 2, concurrency: 12, maxBytes: 5_000_000 }
const longQueue = { name: 'long-exports', schema, perTenant: 1, concurrency: 2, maxBytes: 40_000_000 }

/** Files are kept in memory until they are sent, at most 140 MB in a process. Short exports don't wait for long ones. */
export const exportQueues = [shortQueue, longQueue]

/** Leaves 200 bytes for each call. 200,000 calls took 150 each, including the names of agents and lines. */
const MAX_SHORT_CALLS = 25_000

/** If the service doesn't say how many calls there are, they may be many. */
export const findQueue = ({ total = MAX_CALLS }: Pick<records.ExportRequest, 'total'>) =>
  total <= MAX_SHORT_CALLS ? shortQueue : longQueue

/** The same for exports of the same calls to the same person. */
const getFingerprint = ({ person, query, zone }: records.ExportRequest): string =>
  JSON.stringify([person, zone, query])

export class Exports {
  readonly #services
  readonly #rows

  constructor(services: Services) {
    this.#services = services
    this.#rows = new Rows(services.store.database, 'exports', records.exportRecordSchema)
  }

  /** @returns false if the same export is running or about to start @throws {StoreError | SlackFailure} */
  async start(request: records.ExportRequest, botToken: string): Promise<boolean> {
    const { store, webApi } = this.#services
    const { workspace, person } = request
    const tenant = tenantKey(workspace)
    const fingerprint = getFingerprint(request)
    const claimKey = scopedKey(tenant, fingerprint)
    const isFirst = await store.claim('export', claimKey, START_CLAIM_TTL_MS)
    if (!isFirst) return false
    try {
      const unfinished = await this.#rows.all(tenant)
      if (unfinished.some((record) => getFingerprint(record) === fingerprint)) return false
      const announcement = withTeam(exportMessage(request, { name: 'reading', calls: 0 }), workspace)
      const message = await postDirectMessage(webApi, botToken, person, announcement)
      await this.#saveAndEnqueue({ ...request, message })
      return true
    } finally {
      await store.releaseClaim('export', claimKey)
    }
  }

  /** @throws {StoreError} */
  get({ workspace, id }: records.ExportJob): Promise<records.ExportRecord | undefined> {
    return this.#rows.get(tenantKey(workspace), id)
  }

  /** @returns false if the export was cancelled or has ended @throws {StoreError} */
  delete({ workspace, id }: records.ExportJob): Promise<boolean> {
    return this.#rows.delete(tenantKey(workspace), id)
  }

  /** Enqueues every stored export: a process may have been killed before it did that. Existing jobs stay. @throws {StoreError} */
  async resume(): Promise<void> {
    for await (const record of this.#rows.scan()) await this.#enqueue(record)
  }

  /** Updates the export's message. If Slack refuses that, the export goes on. @throws {StoreError} */
  async showState(record: records.ExportRecord, state: records.ExportState): Promise<void> {
    const { guards, backgroundWebApi, log } = this.#services
    const content = withTeam(exportMessage(record, state), record.workspace)
    const update = async () => {
      const { botToken } = await guards.getInstallation(record.workspace)
      const result = await updateMessage(backgroundWebApi, botToken, record.message, content)
      if (result.kind !== 'sent') throw new SlackFailure('a direct message failed', result)
    }
    try {
      // Progress isn't retried: the next update replaces it.
      if (state.name === 'reading') await update()
      else await retryWhileUnavailable(update)
    } catch (error) {
      if (error instanceof StoreError) throw error
      log.info({ err: error }, 'export message not updated')
    }
  }

  async #saveAndEnqueue(record: records.ExportRecord): Promise<void> {
    try {
      await this.#rows.set(tenantKey(record.workspace), record.id, record, RECORD_TTL_MS)
      await this.#enqueue(record)
    } catch (error) {
      await this.showState(record, toFailedState(error, record, this.#services.config))
      await this.delete(record)
      throw error
    }
  }

  async #enqueue(record: records.ExportRecord): Promise<void> {
    const { jobs, now } = this.#services
    const { workspace, id } = record
    const key = scopedKey(tenantKey(workspace), id)
    await jobs.enqueue(findQueue(record), key, { workspace, id }, new Date(now()))
  }
}

const MAX_TRIES = 4
const RETRY_WAITS = { firstMs: 1000, maxMs: minuteMs }

/** Repeats work that had no effect because Slack was unavailable. @throws the last error, or the signal's reason */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      // With a code, Slack refused the request.
      const canRetry = error instanceof SlackFailure && !error.code && attempt < MAX_TRIES
      if (!canRetry) throw error
      const waitMs = error.retryAfterMs ?? backoff(attempt, RETRY_WAITS)
      // Slack may ask for a longer wait than this work is worth.
      if (waitMs > RETRY_WAITS.maxMs) throw error
      // An abort ends the wait, and then the loop.
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}
