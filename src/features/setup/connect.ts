import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { action, menuEntry, overflow } from '../../slack/blocks/actions.ts'
import { actionRow, option, section, textMessage } from '../../slack/blocks/blocks.ts'
import { messageModalId, modal } from '../../slack/blocks/modal.ts'
import { connectAction, connectButton } from '../../slack/blocks/shared-buttons.ts'
import type { ReplyTarget } from '../../slack/blocks/view-metadata.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { answerModal } from '../../slack/deliver/modals.ts'
import { text } from '../../slack/forms/fields.ts'
import { Field, Form } from '../../slack/forms/form.ts'
import type { Click, ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { CredentialsRejectedError, TelephonyError } from '../../telephony/types.ts'
import type { Agent } from '../../telephony/wire.ts'
import { connectedAnswer } from './found.ts'
import { zoneMenuId } from './zones.ts'

const setupActions = {
  connect: connectAction,
  replaceKey: menuEntry('setup.connection', 'replace-key'),
  askDisconnect: menuEntry('setup.connection', 'disconnect'),
  disconnect: action('setup.disconnect'),
}

/** Both options open a modal, because a menu's confirmation would apply to both. */
export const connectionMenu = (): types.Overflow =>
  overflow([setupActions.replaceKey, 'Replace key…'], [setupActions.askDisconnect, 'Disconnect…'])

const connectForm = 'setup.connect'

/** The secret is never prefilled and never shown again. */
const connectFields = (zone: string) =>
  new Form({
    key: text('API key', { hint: "Find it in your phone account's API settings.", maxLength: 500 }),
    secret: text('API secret', {
      hint: 'Slack shows it while you type, so make sure no one can see your screen. Callboard never shows it again.',
      maxLength: 500,
    }),
    zone: new Field({
      label: 'Time zone',
      hint: 'Used for your whole workspace. A channel can have its own: type /calls timezone there.',
      schema: z.string(),
      element: (): types.ExternalSelect => ({
        type: 'external_select',
        action_id: zoneMenuId,
        min_query_length: 0,
        initial_option: option(zone, zone),
      }),
    }),
  })

function refusedKeyText(error: TelephonyError): string {
  if (error instanceof CredentialsRejectedError) return 'The phone service rejected this key and secret.'
  return `${describeFailure(error).reason} The key and secret weren't tested, and nothing was stored.`
}

const testText = 'Callboard tests the key and secret, then stores them encrypted.'
const connectTexts = { title: 'Connect phone account', submit: 'Connect', intro: testText }
const replaceTexts = {
  title: 'Replace key and secret',
  submit: 'Replace',
  intro: `The phone account is connected. What you enter replaces its key and secret. ${testText}`,
}

const disconnected: Answer = {
  message: textMessage('Disconnected. The API key and secret are deleted.', [connectButton]),
}

async function openConnect(
  { store, workspaces }: Services,
  { actor, tenant, channel }: Interaction,
  openedBy?: ReplyTarget,
): Promise<types.ModalView> {
  const { workspace, person } = actor
  const [isConnected, { zone }] = await Promise.all([
    store.credentials.has(tenant),
    workspaces.zone(tenant, '', person),
  ])
  const { title, submit, intro } = isConnected ? replaceTexts : connectTexts
  return modal({
    id: connectForm,
    origin: { workspace, channel, openedBy },
    title,
    submit,
    blocks: [section(intro), ...connectFields(zone).inputs()],
  })
}

async function connect(
  services: Services,
  interaction: Interaction,
  view: ViewPayload,
): Promise<SubmissionResult> {
  const { store, workspaces, guards, audit, homeTab, now } = services
  const { actor, tenant, channel } = interaction
  const { values, errors } = connectFields('').read(view)
  if (!values) return { errors }
  const { zone, ...credentials } = values
  const account = { tenant, credentials }
  let agents: readonly Agent[]
  try {
    agents = await services.telephony.agents(account)
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    return { errors: { secret: refusedKeyText(error) } }
  }
  // The app may have been uninstalled while the service tested the key.
  await guards.installation(actor.workspace)
  const record = { ...credentials, connectedBy: actor.person.id, connectedAt: now() }
  await store.credentials.set(record, tenant)
  await workspaces.setDefaultZone(tenant, zone)
  await workspaces.emit('connect', tenant)
  await audit.record(actor, 'connected the phone account')
  homeTab.emit('outdated', actor)
  const answer = await connectedAnswer(services, interaction, account, agents.length)
  const origin = { workspace: actor.workspace, channel }
  return { view: answerModal(answer, origin), answer: Promise.resolve(answer) }
}

/** @throws {NotConnectedError} if no key and secret are stored, not even unreadable ones */
async function openDisconnect(
  { store, workspaces }: Services,
  { actor, tenant, channel }: Interaction,
): Promise<types.ModalView> {
  if (!(await store.credentials.has(tenant))) await workspaces.account(tenant)
  const question =
    '*Disconnect the phone account?*\nNobody can look up calls, and scheduled posts and missed-call alerts stop, until an administrator reconnects.'
  const confirm = setupActions.disconnect.button('Disconnect', undefined, 'danger')
  return modal({
    id: messageModalId,
    origin: { workspace: actor.workspace, channel },
    title: 'Disconnect',
    close: 'Cancel',
    blocks: [section(question), ...actionRow([confirm])],
  })
}

async function disconnect(
  { store, audit, homeTab }: Services,
  { actor, tenant }: Interaction,
): Promise<Answer> {
  await store.credentials.delete(tenant)
  await audit.record(actor, 'disconnected the phone account')
  homeTab.emit('outdated', actor)
  return disconnected
}

export function setup(services: Services): FeatureRoutes {
  const askKey = {
    needs: 'admin',
    opensModal: true,
    handle: ({ interaction, click }: { interaction: Interaction; click?: Click }) =>
      openConnect(services, interaction, click?.replyTo),
  } as const
  const askDisconnect = {
    needs: 'admin',
    opensModal: true,
    handle: ({ interaction }: { interaction: Interaction }) => openDisconnect(services, interaction),
  } as const
  return {
    commands: [
      { command: 'calls', word: 'connect', moreWords: 'secret', ...askKey },
      { command: 'calls', word: 'disconnect', ...askDisconnect },
    ],
    actions: bind(setupActions, {
      connect: askKey,
      replaceKey: askKey,
      askDisconnect,
      disconnect: { needs: 'admin', handle: ({ interaction }) => disconnect(services, interaction) },
    }),
    submissions: [
      {
        view: connectForm,
        needs: 'admin',
        waiting: 'Testing the key and secret… The phone service is taking its time.',
        handle: ({ interaction, view }) => connect(services, interaction, view),
      },
    ],
  }
}
