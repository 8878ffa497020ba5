import type { Store } from '../../store/store.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Account } from '../../telephony/types.ts'
import { parseZone } from '../../time/parse-zone.ts'
import type { Zone } from '../../time/types.ts'
import { NotConnectedError } from '../blocks/errors.ts'
import type { Person } from './people.ts'

export type ZoneSource = 'channel' | 'workspace' | 'person' | 'none'

/** What every feature needs of a workspace's records. */
export interface Workspace {
  /** @throws {NotConnectedError | StoreError} */
  account(tenant: TenantKey): Promise<Account>
  /** A channel has no zone of its own in Slack: the channel's setting, the workspace's, the asking person's, UTC. */
  zone(tenant: TenantKey, channel: string, person?: Person): Promise<{ zone: Zone; source: ZoneSource }>
}

const utc = parseZone('UTC')

export function createWorkspace({ store }: { store: Store }): Workspace {
  return {
    async account(tenant) {
      const credentials = await store.credentials.get(tenant)
      if (!credentials) throw new NotConnectedError()
      return { tenant, credentials: { key: credentials.key, secret: credentials.secret } }
    },

    async zone(tenant, channel, person) {
      const [ofChannel, ofWorkspace] = await Promise.all([
        channel === '' ? undefined : store.channelSettings.get(tenant, channel),
        store.workspaceSettings.get(tenant),
      ])
      const candidates = [
        ['channel', ofChannel?.zone],
        ['workspace', ofWorkspace?.zone],
        ['person', person?.zone],
        ['none', 'UTC'],
      ] as const
      for (const [source, text] of candidates) {
        const zone = text === undefined ? undefined : parseZone(text)
        if (zone) return { zone, source }
      }
      if (!utc) throw new RangeError('this runtime has no zone UTC')
      return { zone: utc, source: 'none' }
    },
  }
}
