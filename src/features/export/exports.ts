import type { Services } from '../../services.ts'
import { postDirectMessage } from '../../slack/api/web-api.ts'
import { withTeam } from '../../slack/blocks/action.ts'
import { Rows } from '../../store/engine/rows.ts'
import { scopedKey, tenantKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { ExportMessage } from './message.ts'
import {
  type ExportJob,
  type ExportRecord,
  type ExportRequest,
  exportJobSchema,
  exportRecordSchema,
} from './record.ts'
import { type ExportState, exportMessage, toFailedState } from './view.ts'

/** Longer than the engine retries a job. */
const RECORD_TTL_MS: Milliseconds = 3 * 24 * 60 * 60_000
/** Blocks the same request if the process is killed while it stores one. */
const START_CLAIM_TTL_MS: Milliseconds = 60_000
/** Exports of one workspace that run at the same time. */
const MAX_RUNNING_PER_TENANT = 2

/** The same calls exported by the same person, however the export was started. */
const toIdentity = ({ person, query, zone }: ExportRequest): string => JSON.stringify([person, zone, query])

/** Stored exports and their jobs. */
export class Exports {
  readonly queue = { name: 'exports', schema: exportJobSchema, perTenant: MAX_RUNNING_PER_TENANT }
  readonly #services
  readonly #rows

  constructor(services: Services) {
    this.#services = services
    this.#rows = new Rows(services.store.database, 'exports', exportRecordSchema)
  }

  /**
   * Starts an export once, however often it is requested at the same time.
   * @param botToken posts the direct message @returns undefined if the same export has already started
   * @throws {StoreError | DirectMessageRefusedError | SlackUnavailableError | TokenRefusedError}
   */
  async start(
    request: ExportRequest,
    botToken: string,
  ): Promise<{ readonly record: ExportRecord; readonly isWaiting: boolean } | undefined> {
    const { store } = this.#services
    const tenant = tenantKey(request.tenant)
    const claim = scopedKey(tenant, toIdentity(request))
    if (!(await store.claim('export', claim, START_CLAIM_TTL_MS))) return undefined
    try {
      const others = await this.#rows.all(tenant)
      if (others.some((one) => toIdentity(one) === toIdentity(request))) return undefined
      const isWaiting = others.length >= MAX_RUNNING_PER_TENANT
      const state: ExportState = { name: isWaiting ? 'waiting' : 'reading', read: 0, total: request.total }
      const message = withTeam(exportMessage(request, state), request.tenant)
      const place = await postDirectMessage(this.#services.webApi, botToken, request.person, message)
      const record = { ...request, message: place }
      await this.#store(record)
      return { record, isWaiting }
    } finally {
      await store.releaseClaim('export', claim)
    }
  }

  /** @throws {StoreError} */
  get({ tenant, id }: ExportJob): Promise<ExportRecord | undefined> {
    return this.#rows.get(tenantKey(tenant), id)
  }

  /** @returns whether the export was still wanted @throws {StoreError} */
  delete({ tenant, id }: ExportJob): Promise<boolean> {
    return this.#rows.delete(tenantKey(tenant), id)
  }

  /** Enqueues the jobs that an earlier process was killed before enqueuing. @throws {StoreError} */
  async resume(): Promise<void> {
    for await (const record of this.#rows.scan()) await this.#enqueue(record)
  }

  async #store(record: ExportRecord): Promise<void> {
    try {
      await this.#rows.set(tenantKey(record.tenant), record.id, record, RECORD_TTL_MS)
      await this.#enqueue(record)
    } catch (error) {
      const { config } = this.#services
      const failed = toFailedState(error, { reference: record.id.slice(-8), config })
      await new ExportMessage(this.#services, record).showEnd(exportMessage(record, failed))
      await this.delete(record)
      throw error
    }
  }

  async #enqueue({ tenant, id }: ExportJob): Promise<void> {
    const { jobs, now } = this.#services
    await jobs.enqueue(this.queue, scopedKey(tenantKey(tenant), id), { tenant, id }, new Date(now()))
  }
}
