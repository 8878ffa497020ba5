import { whereReadable } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { LineNames, type NamedLine, NumberWriter } from '../../telephony/lines.ts'
import type { Account } from '../../telephony/types.ts'
import { parseZone } from '../../time/zone-names.ts'
import type { Zone } from '../../time/zones.ts'
import { NotConnectedError } from './errors.ts'
import type { Person } from './people.ts'

export type ZoneSource = 'channel' | 'workspace' | 'person' | 'none'

/** A time zone has changed, or a key and secret were saved. */
type WorkspaceEvent = 'zone' | 'connect'
type Listener = (tenant: TenantKey) => Promise<void>

/** Reads and changes a workspace's settings. Every method throws a `StoreError` if the database fails. */
export class Workspaces {
  readonly #store: Pick<Store, 'credentials' | 'channelSettings' | 'workspaceSettings' | 'lines'>
  readonly #numbers = new NumberWriter()
  readonly #listeners: Readonly<Record<WorkspaceEvent, Listener[]>> = { zone: [], connect: [] }

  constructor(store: Pick<Store, 'credentials' | 'channelSettings' | 'workspaceSettings' | 'lines'>) {
    this.#store = store
  }

  /** Fails closed. @throws {NotConnectedError | UnreadableRecordError} */
  async account(tenant: TenantKey): Promise<Account> {
    const record = await this.#store.credentials.get(tenant)
    if (!record) throw new NotConnectedError('the workspace is not connected')
    const { connectedBy: _by, connectedAt: _at, ...credentials } = record
    return { tenant, credentials }
  }

  /** Fails open: without a readable record, lines have no names. */
  async lineNames(tenant: TenantKey): Promise<LineNames> {
    const [record, write] = await Promise.all([
      whereReadable(this.#store.lines.get(tenant)),
      this.#numbers.load(),
    ])
    return new LineNames(record?.lines, write)
  }

  async nameLines(tenant: TenantKey, lines: readonly NamedLine[]): Promise<void> {
    await this.#store.lines.set({ lines: [...lines] }, tenant)
  }

  /** Returns the id of the person who connected the account. Fails closed: undefined if the record can't be read. */
  async connectedBy(tenant: TenantKey): Promise<string | undefined> {
    return (await whereReadable(this.#store.credentials.get(tenant)))?.connectedBy
  }

  /** Returns the zone of the channel, the workspace, the person, or UTC. Fails open: unreadable settings count as not set. */
  async zone(
    tenant: TenantKey,
    channel: string,
    person?: Person,
  ): Promise<{ readonly zone: Zone; readonly source: ZoneSource }> {
    const [channelSettings, workspaceSettings] = await Promise.all([
      channel === '' ? undefined : whereReadable(this.#store.channelSettings.get(tenant, channel)),
      whereReadable(this.#store.workspaceSettings.get(tenant)),
    ])
    const candidates = [
      ['channel', channelSettings?.zone],
      ['workspace', workspaceSettings?.zone],
      ['person', person?.zone],
      ['none', 'UTC'],
    ] as const
    for (const [source, text] of candidates) {
      const zone = text === undefined ? undefined : parseZone(text)
      if (zone) return { zone, source }
    }
    throw new RangeError('this runtime has no time zone UTC')
  }

  /** Sets a channel's time zone for everyone there. Without a zone, the workspace's applies again. @returns whether it changed */
  async setChannelZone(tenant: TenantKey, channel: string, zone: Zone | undefined): Promise<boolean> {
    const { channelSettings } = this.#store
    const before = await whereReadable(channelSettings.get(tenant, channel))
    if (before?.zone === zone) return false
    if (zone === undefined) await channelSettings.delete(tenant, channel)
    else await channelSettings.set({ zone }, tenant, channel)
    await this.emit('zone', tenant)
    return true
  }

  async setDefaultZone(tenant: TenantKey, zone: string): Promise<void> {
    await this.#store.workspaceSettings.set({ zone }, tenant)
    await this.emit('zone', tenant)
  }

  on(event: WorkspaceEvent, listener: Listener): void {
    this.#listeners[event].push(listener)
  }

  /** Resolves once all listeners have followed the change. */
  async emit(event: WorkspaceEvent, tenant: TenantKey): Promise<void> {
    for (const listener of this.#listeners[event]) await listener(tenant)
  }
}
