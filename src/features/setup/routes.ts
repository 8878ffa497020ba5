import type { Services } from '../../services.ts'
import { MOST_CHANNEL_SETTINGS } from '../../slack/access/workspaces.ts'
import { type Answer, textAnswer } from '../../slack/answers/answer.ts'
import { describeFailure } from '../../slack/answers/error-texts.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { refusedKeyText } from '../../slack/answers/refused-key-text.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { actionRow, LIMITS, type Message, section } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import { disconnectButton } from '../../slack/blocks/shared-blocks.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { FeatureRoutes, Interaction, SubmissionResult } from '../../slack/routing/routes.ts'
import { TenantDeletedError } from '../../store/generations.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { parseZone, suggestZones } from '../../time/zones.ts'
import { connectModal, readConnect } from './connect-modal.ts'
import { unknownZoneMessage, zoneIsScheduledByText, zoneMessage } from './timezone.ts'

const title = 'Connect Callboard'
export const disconnectedText =
  'Disconnected: the key and secret are deleted. `/calls connect` connects again.'
export const slow = {
  title,
  waiting: 'Checking… the telephony service takes its time.',
  close: 'Cancel',
  failed: 'Sorry, something went wrong on our side. Nothing was kept; please try again.',
  note: 'the pair could not be kept',
}
export const connected = ':white_check_mark: Connected. Close this and try `/calls`.'

export const tooManyZonesText = `${MOST_CHANNEL_SETTINGS} channels have a time zone of their own already, which is as many as can. Nothing was changed: \`/calls timezone default\` in a channel that needs none makes room, and the workspace's own zone holds in all others.`

/** The workspace's key and secret, and the zones of its channels. */
export function setup({ store, workspaces, guards, telephony, audit, now }: Services): FeatureRoutes {
  async function openConnect({ actor, tenant, channel }: Interaction) {
    const [isConnected, settings] = await Promise.all([
      // Readable or not.
      store.credentials.has(tenant),
      store.workspaceSettings.get(tenant),
    ])
    const zone = parseZone(settings?.zone ?? actor.person.zone ?? 'UTC') ?? 'UTC'
    return connectModal({ team: actor.team, channel, zone, isConnected })
  }

  /** Tries the pair and keeps it. */
  async function connect(
    { actor, tenant }: Interaction,
    { zone, ...pair }: ReturnType<typeof readConnect>,
  ): Promise<SubmissionResult> {
    // The service may answer slowly: what is deleted or uninstalled meanwhile stays so.
    const generation = await store.generations.of(tenant)
    await guards.installation(actor.team)
    try {
      await telephony.agents({ tenant, credentials: pair, isTrial: true })
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      return { errors: { secret: refusedKeyText(error) } }
    }
    const credentials = { ...pair, connectedBy: actor.person.id, connectedAt: now() }
    try {
      await store.credentials.setIn(generation, credentials)
      await workspaces.setDefaultZone(tenant, zone, generation)
      await audit.record(actor, 'connect', undefined, generation)
    } catch (error) {
      if (!(error instanceof TenantDeletedError)) throw error
      return { view: noticeModal(describeFailure(error).text, { title }) }
    }
    return { view: noticeModal(connected, { title }) }
  }

  /** Posts that are planned in a channel go by its zone: then it takes the right to manage those. */
  async function mayChangeZone({ actor, tenant, channel }: Interaction): Promise<boolean> {
    if (!(await store.schedules.all(tenant)).some((one) => one.channel === channel)) return true
    return guards.may(actor, 'billing')
  }

  async function setZone(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    const written = words.map((word) => word.written).join(' ')
    const isDefault = written.toLowerCase() === 'default'
    const chosen = isDefault || written === '' ? undefined : parseZone(written)
    if (written !== '' && !isDefault && !chosen) {
      return { message: unknownZoneMessage(written, suggestZones(written, 3)) }
    }
    if (isDefault || chosen) {
      if (!(await mayChangeZone(interaction))) return textAnswer(zoneIsScheduledByText)
      const outcome = await workspaces.setChannelZone(tenant, channel, chosen)
      if (outcome === 'full') return textAnswer(tooManyZonesText)
      if (outcome === 'changed')
        await audit.record(actor, 'time zone', `channel ${channel}, ${chosen ?? 'default'}`)
    }
    const { zone, source } = await workspaces.zone(tenant, channel, actor.person)
    const note = chosen ? "Set this channel's zone for everyone here." : 'Took back the setting.'
    const done = isDefault || chosen ? note : undefined
    return { message: zoneMessage(zone, source, new Date(now()), done) }
  }

  return {
    commands: [
      { command: 'calls', word: 'connect', needs: 'admin', openModal: openConnect },
      {
        command: 'calls',
        word: 'disconnect',
        needs: 'admin',
        async handle({ tenant }) {
          if (!(await store.credentials.has(tenant))) await workspaces.account(tenant)
          return { message: disconnectMessage() }
        },
      },
      { command: 'calls', word: 'timezone', needs: 'member', handle: setZone },
    ],

    actions: [
      { action: ACTIONS.connect, needs: 'admin', openModal: openConnect },
      {
        action: ACTIONS.disconnect,
        needs: 'admin',
        async handle({ actor, tenant }) {
          await store.credentials.delete(tenant)
          await audit.record(actor, 'disconnect')
          return textAnswer(disconnectedText)
        },
      },
    ],

    submissions: [
      {
        view: VIEWS.connect,
        needs: 'admin',
        slow,
        handle: (interaction, view) => connect(interaction, readConnect(view)),
      },
    ],

    options: [
      {
        action: ACTIONS.zone,
        needs: 'member',
        handle: async (_interaction, typed) =>
          suggestZones(typed, LIMITS.options).map((name) => option(name, name)),
      },
    ],
  }
}

/** Asks before the account is disconnected. */
export function disconnectMessage(): Message {
  const text =
    'Disconnect this workspace from its telephony account? Nobody here can look up calls until an admin connects again.'
  return { text, blocks: [section(text), ...actionRow([disconnectButton()])] }
}
