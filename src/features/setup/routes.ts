import type { ScheduledPosts } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { AlreadyConnectedError } from '../../slack/access/errors.ts'
import { setupLinks } from '../../slack/blocks/links.ts'
import type { ClickPlace } from '../../slack/deliver/clicks.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { parseZone } from '../../time/zone-names.ts'
import {
  connectedMessage,
  connectFields,
  connectForm,
  connectModal,
  disconnectedMessage,
  disconnectMessage,
  disconnectModal,
} from './connect-view.ts'
import { connectedText, type PausedSchedules, refusedKeyText, testingText, title } from './words.ts'

/** The workspace's key and secret. */
export function setup(
  { store, workspaces, guards, telephony, audit, homeTab, now }: Services,
  schedules: readonly ScheduledPosts[],
): FeatureRoutes {
  async function openConnect({ actor, tenant, channel }: Interaction, place?: ClickPlace) {
    const [isConnected, settings] = await Promise.all([
      // Readable or not.
      store.credentials.has(tenant),
      store.workspaceSettings.get(tenant),
    ])
    const zone = parseZone(settings?.zone ?? actor.person.zone ?? 'UTC') ?? 'UTC'
    return connectModal({ team: actor.team, channel }, { zone, isConnected, place })
  }

  /**
   * Whether there are a key and secret, and no request has failed since the service last answered: of several failures the
   * last one alone is kept, and one before it may have been a refusal of the key.
   */
  async function isWorking(tenant: TenantKey): Promise<boolean> {
    const [credentials, connection] = await Promise.all([
      whereReadable(store.credentials.get(tenant)),
      store.connection.get(tenant),
    ])
    if (!credentials) return false
    const { lastSuccess = 0, lastFailure } = connection ?? {}
    return (lastFailure?.at ?? 0) <= Math.max(lastSuccess, credentials.connectedAt)
  }

  /** Those that the person may see, of which nothing is posted until somebody resumes them. */
  async function pausedSchedules({ actor, tenant }: Interaction): Promise<PausedSchedules> {
    const each = schedules.map(async ({ info: kind, rows }) => {
      if (!(await guards.may(actor, kind.needs))) return { kind, count: 0 }
      const all = await rows.all(tenant)
      return { kind, count: all.filter(({ paused }) => paused).length }
    })
    return (await Promise.all(each)).filter(({ count }) => count > 0)
  }

  async function connect(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const { values, errors } = connectFields('').read(view)
    if (!values) return { errors }
    const { message: place } = connectForm.read(view)
    const { zone, ...credentials } = values
    try {
      await telephony.agents({ tenant, credentials, isTrial: true })
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      return { errors: { secret: refusedKeyText(error) } }
    }
    // The service may have answered slowly: what was uninstalled meanwhile stays so.
    await guards.installation(actor.team)
    const record = { ...credentials, connectedBy: actor.person.id, connectedAt: now() }
    await store.credentials.set(record, tenant)
    await workspaces.setDefaultZone(tenant, zone)
    await workspaces.emit('connect', tenant)
    await audit.record(actor, 'connect')
    homeTab.emit('outdated', actor)
    const paused = await pausedSchedules(interaction)
    // The message that offered to connect goes on from there.
    const beside = place && { place, answer: async () => ({ message: connectedMessage(paused) }) }
    return { view: noticeModal(connectedText(paused, place !== undefined), { title }), beside }
  }

  /** @throws {NotConnectedError} where there is nothing to disconnect, readable or not */
  async function assertConnected({ tenant }: Interaction): Promise<void> {
    if (!(await store.credentials.has(tenant))) await workspaces.account(tenant)
  }

  return {
    commands: [
      {
        command: 'calls',
        word: 'connect',
        moreWords: 'secret',
        needs: 'admin',
        openModal: (interaction) => openConnect(interaction),
      },
      {
        command: 'calls',
        word: 'disconnect',
        needs: 'admin',
        async handle(interaction) {
          await assertConnected(interaction)
          return { message: disconnectMessage }
        },
      },
    ],

    actions: bind(setupLinks, {
      connect: {
        needs: 'admin',
        async openModal(interaction, how, place) {
          // The home tab is as new as its opening; a message may be old.
          const isOffer = how === 'connect' && place.viewId === undefined
          if (isOffer && (await isWorking(interaction.tenant)))
            throw new AlreadyConnectedError('the workspace is connected already')
          return openConnect(interaction, place)
        },
      },
      replaceKey: { needs: 'admin', openModal: (interaction) => openConnect(interaction) },
      askDisconnect: {
        needs: 'admin',
        async openModal(interaction) {
          await assertConnected(interaction)
          return disconnectModal({ team: interaction.actor.team, channel: interaction.channel })
        },
      },
      disconnect: {
        needs: 'admin',
        async handle({ actor, tenant }) {
          await store.credentials.delete(tenant)
          await audit.record(actor, 'disconnect')
          homeTab.emit('outdated', actor)
          return { message: disconnectedMessage }
        },
      },
    }),

    submissions: [
      {
        view: connectForm.id,
        needs: 'admin',
        waiting: testingText,
        handle: connect,
      },
    ],
  }
}
