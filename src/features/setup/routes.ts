import type { ViewResponseAction } from '@slack/bolt'
import type { Audit } from '../../slack/access/audit.ts'
import type { Workspace } from '../../slack/access/workspaces.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { update } from '../../slack/answers/submissions.ts'
import { disconnectButton, LIMITS, type Message, plain, section } from '../../slack/blocks/blocks.ts'
import { NotConnectedError } from '../../slack/blocks/errors.ts'
import type { FeatureRoutes, Interaction, Modal } from '../../slack/routing/routes.ts'
import type { Store } from '../../store/store.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { CredentialsRejectedError, TelephonyError } from '../../telephony/errors.ts'
import { parseZone, suggestZones } from '../../time/zones.ts'
import { CONNECT_VIEW, connectModal, readConnect } from './connect-modal.ts'
import { unknownZoneMessage, zoneMessage } from './timezone.ts'

export interface SetupDeps {
  readonly store: Store
  readonly workspace: Workspace
  readonly telephony: TelephonyClient
  readonly audit: Audit
  /** What was planned by the old zone follows. */
  readonly zoneChanged: (tenant: TenantKey) => Promise<void>
  /** Epoch ms. */
  readonly now: () => number
}

const connected = ':white_check_mark: Connected. Close this and try `/calls`.'
const rejected = 'The telephony service does not accept this key and secret. Nothing was kept.'
const unreachable =
  'The telephony service is unavailable, so the pair could not be tried. Nothing was kept; please try again.'

export function setupRoutes(deps: SetupDeps): FeatureRoutes {
  const { store, workspace, telephony, audit, zoneChanged, now } = deps

  async function openConnect({ tenant, channel, visitor }: Interaction): Promise<Modal> {
    const [credentials, settings] = await Promise.all([
      store.credentials.get(tenant),
      store.workspaceSettings.get(tenant),
    ])
    const zone = parseZone(settings?.zone ?? visitor.person.zone ?? 'UTC') ?? 'UTC'
    const isConnected = credentials !== undefined
    return { modal: connectModal({ tenant: visitor.teamOf, channel, zone, isConnected }) }
  }

  /** Tries the pair and keeps it. @returns what to tell the admin where it is not kept */
  async function tryPair(
    { tenant, visitor }: Interaction,
    { key, secret, zone }: ReturnType<typeof readConnect>,
  ): Promise<string | undefined> {
    try {
      await telephony.agents({ tenant, credentials: { key, secret }, isTrial: true })
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      return error instanceof CredentialsRejectedError ? rejected : unreachable
    }
    await store.credentials.set({ key, secret, connectedBy: visitor.person.id, connectedAt: now() }, tenant)
    await store.workspaceSettings.set({ zone }, tenant)
    await zoneChanged(tenant)
    await audit.record({ tenant, visitor }, 'connect')
    return undefined
  }

  const refusal = (text: string): ViewResponseAction => ({
    response_action: 'errors',
    errors: { secret: text },
  })
  const notice = (text: string, close = 'Close') => noticeModal(text, { title: 'Connect Callboard', close })

  return {
    commands: [
      { command: 'calls', word: 'connect', needs: 'admin', openModal: openConnect },
      {
        command: 'calls',
        word: 'disconnect',
        needs: 'admin',
        async handle({ tenant }) {
          if (!(await store.credentials.get(tenant))) throw new NotConnectedError()
          return { message: disconnectMessage() }
        },
      },
      {
        command: 'calls',
        word: 'timezone',
        needs: 'member',
        async handle({ tenant, channel, visitor }, words) {
          const written = words.map((word) => word.written).join(' ')
          const isDefault = written.toLowerCase() === 'default'
          const wanted = isDefault || written === '' ? undefined : parseZone(written)
          if (written !== '' && !isDefault && !wanted) {
            return { message: unknownZoneMessage(written, suggestZones(written, 3)) }
          }
          if (isDefault) await store.channelSettings.delete(tenant, channel)
          if (wanted) await store.channelSettings.set({ zone: wanted }, tenant, channel)
          if (isDefault || wanted) {
            await zoneChanged(tenant)
            await audit.record({ tenant, visitor }, 'time zone', `channel ${channel}, ${wanted ?? 'default'}`)
          }
          const { zone, source } = await workspace.zone(tenant, channel, visitor.person)
          const did = wanted
            ? "Set this channel's zone for everyone here."
            : isDefault
              ? 'Took back the setting.'
              : undefined
          return { message: zoneMessage(zone, source, new Date(now()), did) }
        },
      },
    ],

    actions: [
      { action: 'setup.connect', needs: 'admin', openModal: openConnect },
      {
        action: 'setup.disconnect',
        needs: 'admin',
        async handle({ tenant, visitor }) {
          await store.credentials.delete(tenant)
          await audit.record({ tenant, visitor }, 'disconnect')
          const text = 'Disconnected: the key and secret are deleted. `/calls connect` connects again.'
          return { message: { text, blocks: [section(text)] } }
        },
      },
    ],

    submissions: [
      {
        view: CONNECT_VIEW,
        needs: 'admin',
        async handle(interaction, view, { slowly }) {
          const shown = (problem: string | undefined) => notice(problem ?? connected)
          await slowly({
            work: tryPair(interaction, readConnect(view)),
            inTime: (problem) => (problem === undefined ? update(shown(problem)) : refusal(problem)),
            waiting: notice('Checking… the telephony service takes its time.', 'Cancel'),
            view: shown,
            failed: {
              note: 'the pair could not be kept',
              view: notice('Sorry, something went wrong on our side. Nothing was kept; please try again.'),
            },
          })
        },
      },
    ],

    options: [
      {
        action: 'setup.zone',
        needs: 'member',
        async handle(_interaction, typed) {
          return suggestZones(typed, LIMITS.optionsInAnAnswer).map((name) => ({
            text: plain(name, LIMITS.optionText),
            value: name,
          }))
        },
      },
    ],
  }
}

function disconnectMessage(): Message {
  const text =
    'Disconnect this workspace from its telephony account? Nobody here can look up calls until an admin connects again.'
  return {
    text,
    blocks: [
      section(text),
      {
        type: 'actions',
        elements: [disconnectButton()],
      },
    ],
  }
}
