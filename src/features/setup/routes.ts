import type { Services } from '../../services.ts'
import { readMetadata } from '../../slack/blocks/values.ts'
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
import { TelephonyError } from '../../telephony/errors.ts'
import { parseZone } from '../../time/zone-names.ts'
import {
  connectedMessage,
  connectFields,
  connectForm,
  connectMetadataSchema,
  connectModal,
  disconnectedMessage,
  disconnectModal,
  setupActions,
} from './connect-view.ts'
import { connectedText, refusedKeyText, testingText, title } from './words.ts'

/** The workspace's key and secret. */
export function setup({
  store,
  workspaces,
  guards,
  telephony,
  audit,
  homeTab,
  now,
}: Services): FeatureRoutes {
  async function openConnect({ actor, tenant, channel }: Interaction, place?: ClickPlace) {
    const [isConnected, settings] = await Promise.all([
      store.credentials.has(tenant),
      whereReadable(store.workspaceSettings.get(tenant)),
    ])
    const zone = parseZone(settings?.zone ?? actor.person.zone ?? 'UTC') ?? 'UTC'
    return connectModal({ team: actor.team, channel }, { zone, isConnected, place })
  }

  async function connect(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const { values, errors } = connectFields('').read(view)
    if (!values) return { errors }
    const { message: place } = readMetadata(view, connectMetadataSchema)
    const { zone, ...credentials } = values
    try {
      await telephony.agents({ tenant, credentials })
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      return { errors: { secret: refusedKeyText(error) } }
    }
    // The app may have been uninstalled while the service tested the key.
    await guards.installation(actor.team)
    const record = { ...credentials, connectedBy: actor.person.id, connectedAt: now() }
    await store.credentials.set(record, tenant)
    await workspaces.setDefaultZone(tenant, zone)
    await workspaces.emit('connect', tenant)
    await audit.record(actor, 'connect')
    homeTab.emit('outdated', actor)
    const beside = place && { place, answer: async () => ({ message: connectedMessage }) }
    return { view: noticeModal(connectedText(place !== undefined), { title }), beside }
  }

  /** @throws {NotConnectedError} if no key and secret are stored, readable or not */
  async function openDisconnect({ actor, tenant, channel }: Interaction) {
    if (!(await store.credentials.has(tenant))) await workspaces.account(tenant)
    return disconnectModal({ team: actor.team, channel })
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
      { command: 'calls', word: 'disconnect', needs: 'admin', openModal: openDisconnect },
    ],

    actions: bind(setupActions, {
      connect: {
        needs: 'admin',
        async openModal(interaction, how, place) {
          // The message may be older than the connection; the Home tab never is.
          const isOffer = how === 'connect' && place.viewId === undefined
          if (isOffer && (await whereReadable(store.credentials.get(interaction.tenant))))
            return { message: connectedMessage }
          return openConnect(interaction, place)
        },
      },
      replaceKey: { needs: 'admin', openModal: (interaction) => openConnect(interaction) },
      askDisconnect: { needs: 'admin', openModal: openDisconnect },
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
        view: connectForm,
        needs: 'admin',
        waiting: testingText,
        handle: connect,
      },
    ],
  }
}
