import { whereReadable } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { LineNames } from '../../telephony/lines.ts'
import { loadPhoneFormat } from '../../telephony/phone-numbers.ts'
import type { Account } from '../../telephony/types.ts'
import { parseZone } from '../../time/zone-names.ts'
import type { Zone } from '../../time/zones.ts'
import type { Person } from './people.ts'

export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
}

export interface FoundZone {
  readonly zone: Zone
  readonly source: 'channel' | 'workspace' | 'person' | 'none'
}

/** `connect`: a key and secret were saved. */
type WorkspaceEvent = 'zone' | 'connect'
type Listener = (tenant: TenantKey) => Promise<void>

/** Every method @throws {StoreError} */
export class Workspaces {
  readonly #store
  readonly #listeners: Readonly<Record<WorkspaceEvent, Listener[]>> = { zone: [], connect: [] }

  constructor(store: Store) {
    this.#store = store
  }

  /** Fails closed. @throws {NotConnectedError | UnreadableRecordError} */
  async getAccount(tenant: TenantKey): Promise<Account> {
    const record = await this.#store.credentials.get(tenant)
    if (!record) throw new NotConnectedError('the workspace is not connected')
    const { key, secret } = record
    return { tenant, credentials: { key, secret } }
  }

  /** Fails open: without a readable record, lines have no names. */
  async getLineNames(tenant: TenantKey): Promise<LineNames> {
    const [record, format] = await Promise.all([
      whereReadable(this.#store.lines.get(tenant)),
      loadPhoneFormat(),
    ])
    return new LineNames(record?.lines, format)
  }

  /** Fails closed: returns undefined if the record can't be read. */
  async findConnector(tenant: TenantKey): Promise<string | undefined> {
    const credentials = await whereReadable(this.#store.credentials.get(tenant))
    return credentials?.connectedBy
  }

  /** Fails open: unreadable settings count as not set. @param channel may be empty */
  async findZone(tenant: TenantKey, channel: string, person?: Pick<Person, 'zone'>): Promise<FoundZone> {
    const [channelSettings, workspaceSettings] = await Promise.all([
      channel === '' ? undefined : whereReadable(this.#store.channelSettings.get(tenant, channel)),
      whereReadable(this.#store.workspaceSettings.get(tenant)),
    ])
    const namesBySource = {
      channel: channelSettings?.zone,
      workspace: workspaceSettings?.zone,
      person: person?.zone,
      none: 'UTC',
    }
    for (const source of ['channel', 'workspace', 'person', 'none'] as const) {
      const zone = parseZone(namesBySource[source] ?? '')
      if (zone) return { zone, source }
    }
    throw new RangeError('this runtime has no time zone UTC')
  }

  /** Without a zone, the workspace's applies again. @returns whether it changed */
  async setChannelZone(tenant: TenantKey, channel: string, zone: Zone | undefined): Promise<boolean> {
    const { channelSettings } = this.#store
    const before = await whereReadable(channelSettings.get(tenant, channel))
    const hasChanged = before?.zone !== zone
    if (hasChanged) {
      if (zone === undefined) await channelSettings.delete(tenant, channel)
      else await channelSettings.set({ zone }, tenant, channel)
    }
    // Also without a change, because a listener may have failed after the last one.
    await this.emit('zone', tenant)
    return hasChanged
  }

  on(event: WorkspaceEvent, listener: Listener): void {
    this.#listeners[event].push(listener)
  }

  async emit(event: WorkspaceEvent, tenant: TenantKey): Promise<void> {
    for (const listener of this.#listeners[event]) await listener(tenant)
  }
}
