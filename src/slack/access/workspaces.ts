import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { UnreadableRecordError, whereReadable } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import { type InstallationRecord, installationKey } from '../../store/workspaces.ts'
import { LineNames, loadPhoneFormat, type NamedLine } from '../../telephony/lines.ts'
import type { Account } from '../../telephony/types.ts'
import { parseZone } from '../../time/zone-names.ts'
import type { Zone } from '../../time/zones.ts'
import { once } from '../../util/promises.ts'
import { askSlack } from '../api/web-api.ts'

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
  async account(tenant: TenantKey): Promise<Account> {
    const record = await this.#store.credentials.get(tenant)
    if (!record) throw new NotConnectedError('the workspace is not connected')
    const { connectedBy: _by, connectedAt: _at, ...credentials } = record
    return { tenant, credentials }
  }

  /** Fails open: without a readable record, lines have no names. */
  async lineNames(tenant: TenantKey): Promise<LineNames> {
    const [record, format] = await Promise.all([
      whereReadable(this.#store.lines.get(tenant)),
      loadPhoneFormat(),
    ])
    return new LineNames(record?.lines, format)
  }

  async nameLines(tenant: TenantKey, lines: readonly NamedLine[]): Promise<void> {
    await this.#store.lines.set({ lines: [...lines] }, tenant)
  }

  /** Fails closed: returns undefined if the record can't be read. */
  async connectedBy(tenant: TenantKey): Promise<string | undefined> {
    return (await whereReadable(this.#store.credentials.get(tenant)))?.connectedBy
  }

  /** Fails open: unreadable settings count as not set. */
  async zone(
    tenant: TenantKey,
    channel: string,
    person?: { readonly zone: string | undefined },
  ): Promise<FoundZone> {
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

  /** Without a zone, the workspace's applies again. @returns whether it changed */
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

  async emit(event: WorkspaceEvent, tenant: TenantKey): Promise<void> {
    for (const listener of this.#listeners[event]) await listener(tenant)
  }
}

export interface Installation {
  readonly botToken: string
  /** Id of the person who installed the app, if known. */
  readonly administrator: string | undefined
  /** Whether Slack's roles make administrators: an organization's token only shows the organization's roles. */
  readonly hasSlackRoles: boolean
  /** Ids of the bot, its user and the app, to recognize our own messages. */
  readonly ids: readonly string[]
}

export interface Installations {
  /** There is no fallback token. */
  find(tenant: Tenant): Promise<Installation | undefined>
}

const authTestSchema = z.object({
  team_id: z.string(),
  enterprise_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
  user_id: z.string().optional(),
  bot_id: z.string().optional(),
})

/** Serves the one workspace of `SLACK_BOT_TOKEN`. */
export class SingleInstallation implements Installations {
  readonly #botToken
  readonly #getOwner

  constructor(webApi: WebClient, botToken: string) {
    this.#botToken = botToken
    this.#getOwner = once(async () =>
      authTestSchema.parse(await askSlack('auth.test', webApi.auth.test({ token: botToken }))),
    )
  }

  /** @throws {SlackUnavailableError | TokenRefusedError} unless Slack accepts the token */
  async check(): Promise<void> {
    await this.#getOwner()
  }

  async find({ teamId, enterpriseId }: Tenant): Promise<Installation | undefined> {
    const owner = await this.#getOwner()
    const isOwn = owner.is_enterprise_install
      ? owner.enterprise_id !== undefined && owner.enterprise_id === enterpriseId
      : owner.team_id === teamId
    if (!isOwn) return undefined
    const ids = [owner.user_id, owner.bot_id].filter((id) => id !== undefined)
    // The installer is unknown, so Slack's roles are all there is at first, even an organization's.
    return { botToken: this.#botToken, administrator: undefined, hasSlackRoles: true, ids }
  }
}

/** Prefers a workspace's own installation to its organization's. */
export class StoredInstallations implements Installations {
  readonly #records

  constructor({ installations }: Pick<Store, 'installations'>) {
    this.#records = installations
  }

  /** An unreadable installation ends the lookup: the organization's token never stands in for it. */
  async find({ enterpriseId, teamId }: Tenant): Promise<Installation | undefined> {
    try {
      const own = teamId === '' ? undefined : await this.#records.get(installationKey({ teamId }))
      if (own) return toInstallation(own)
      if (enterpriseId === undefined) return undefined
      const shared = await this.#records.get(installationKey({ enterpriseId }))
      return shared && toInstallation(shared)
    } catch (error) {
      if (error instanceof UnreadableRecordError) return undefined
      throw error
    }
  }
}

function toInstallation(record: InstallationRecord): Installation {
  const { botToken, installer, administrator = installer, teamId, botUserId, appId } = record
  return {
    botToken,
    administrator: administrator || undefined,
    hasSlackRoles: teamId !== undefined,
    ids: [botUserId, appId].filter((id) => id !== undefined),
  }
}
