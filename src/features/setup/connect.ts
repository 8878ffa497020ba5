import type { types } from '@slack/bolt'
import { z } from 'zod'
import { searchMenu } from '../../query/fields.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { NotConnectedError } from '../../slack/access/workspaces.ts'
import { action, menuEntry, overflow } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import * as buttons from '../../slack/blocks/buttons.ts'
import { messageModalId, modal, type ReplyTarget } from '../../slack/blocks/modal.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { answerModal } from '../../slack/deliver/modals.ts'
import { text } from '../../slack/forms/fields.ts'
import { createField, Form } from '../../slack/forms/form.ts'
import type { Click, ViewPayload } from '../../slack/inbound/payloads.ts'
import * as routing from '../../slack/routing/routes.ts'
import { type Account, TelephonyError } from '../../telephony/types.ts'
import { toUtcOffset } from '../../time/zones.ts'
import { countNoun, joinNames } from '../../util/text.ts'
import { accessText } from '../access/words.ts'
import { zoneMenuId } from './zones.ts'

const setupActions = {
  connect: buttons.connectAction,
  replaceKey: menuEntry('setup.connection', 'replace-key'),
  askDisconnect: menuEntry('setup.connection', 'disconnect'),
  disconnect: action('setup.disconnect'),
}

/** Both options open a modal, because a menu's confirmation would apply to both. */
export const connectionMenu = (): types.Overflow =>
  overflow([setupActions.replaceKey, 'Replace key…'], [setupActions.askDisconnect, 'Disconnect…'])

const CONNECT_ID = 'setup.connect'

/** The secret is never prefilled and never shown again. @param initialZone not needed to read a submission */
const createConnectForm = (initialZone = '') =>
  new Form({
    key: text('API key', { hint: "Find it in your phone account's API settings.", maxLength: 500 }),
    secret: text('API secret', {
      hint: 'Slack shows it while you type, so make sure no one can see your screen. Callboard never shows it again.',
      maxLength: 500,
    }),
    zone: createField({
      label: 'Time zone',
      hint: 'Used for your whole workspace. A channel can have its own: type /calls timezone there.',
      schema: z.string(),
      element: () => searchMenu(zoneMenuId, 'Europe/Berlin', blocks.option(initialZone, initialZone)),
    }),
  })

const testText = 'Callboard tests the key and secret, then stores them encrypted.'
const replaceText = 'The phone account is connected. What you enter replaces its key and secret.'

async function openConnect(services: Services, interaction: routing.Interaction, openedBy?: ReplyTarget) {
  const { store, workspaces } = services
  const { actor, tenant, channel } = interaction
  const { workspace, person } = actor
  const [isConnected, { zone }] = await Promise.all([
    store.credentials.has(tenant),
    // The form is for the whole workspace, so a channel's zone doesn't count.
    workspaces.findZone(tenant, '', person),
  ])
  const intro = isConnected ? `${replaceText} ${testText}` : testText
  return modal({
    id: CONNECT_ID,
    origin: { workspace, channel, openedBy },
    title: 'Connect phone account',
    submit: 'Connect',
    blocks: [blocks.section(intro), ...createConnectForm(zone).buildInputs()],
  })
}

function describeFailedTest(error: TelephonyError): string {
  if (error.outcome === 'credentials-rejected') return 'The phone service rejected this key and secret.'
  return `${describeFailure(error).why} The key and secret weren't tested, and nothing was stored.`
}

/** Says what could be read of the account, and who sees it. */
async function buildConnectedAnswer(services: Services, actor: Actor, account: Account, agentCount: number) {
  const { lineList, telephony, guards } = services
  const rules = await guards.getRules(actor.tenant)
  const [numbers, calls] = await Promise.allSettled([
    lineList.numbers(account),
    // Without days, any offset will do.
    telephony.count(account, { direction: 'incoming', offset: toUtcOffset(0) }),
  ])
  const counts: string[] = []
  if (numbers.status === 'fulfilled') counts.push(countNoun(numbers.value.length, 'line'))
  counts.push(countNoun(agentCount, 'agent'))
  if (calls.status === 'fulfilled' && calls.value !== undefined)
    counts.push(countNoun(calls.value, 'incoming call'))
  const access = accessText(rules, actor)
  return {
    message: blocks.textMessage(`Connected. Found ${joinNames(counts)}.\n*Who sees what*\n${access}`, [
      buttons.commandButton('new-alert', 'Alert a channel…', '/calls alert'),
      buttons.commandButton('lines', 'Name your lines…', '/calls lines'),
      buttons.settingsAction.button('Who may see it…'),
      buttons.showCallsButton,
    ]),
  }
}

async function connect(
  services: Services,
  { actor, tenant, channel }: routing.Interaction,
  view: ViewPayload,
): Promise<routing.SubmissionResult> {
  const { store, telephony, workspaces, guards, audit, homeTab, now } = services
  const { values, errors } = createConnectForm().read(view)
  if (!values) return { errors }
  const { zone, ...credentials } = values
  const account = { tenant, credentials }
  let agents: readonly unknown[]
  try {
    // The request is also the test of the key and secret.
    agents = await telephony.agents(account)
  } catch (error) {
    if (error instanceof TelephonyError) return { errors: { secret: describeFailedTest(error) } }
    throw error
  }
  // The app may have been uninstalled while the service tested the key.
  await guards.getInstallation(actor.workspace)
  const record = { ...credentials, connectedBy: actor.person.id, connectedAt: now() }
  await store.credentials.set(record, tenant)
  await store.workspaceSettings.set({ zone }, tenant)
  await workspaces.emit('zone', tenant)
  await workspaces.emit('connect', tenant)
  await audit.record(actor, 'connected the phone account')
  homeTab.emit('outdated', actor)
  const answer = await buildConnectedAnswer(services, actor, account, agents.length)
  const origin = { workspace: actor.workspace, channel }
  // The answer also replaces the message that opened the modal.
  return { view: answerModal(answer, origin), answer: Promise.resolve(answer) }
}

/** @throws {NotConnectedError} if no key and secret are stored, not even unreadable ones */
async function openDisconnect({ store }: Services, interaction: routing.Interaction) {
  const { actor, tenant, channel } = interaction
  const isStored = await store.credentials.has(tenant)
  if (!isStored) throw new NotConnectedError('the workspace is not connected')
  const question =
    '*Disconnect the phone account?*\nNobody can look up calls, and scheduled posts and missed-call alerts stop, until an administrator reconnects.'
  const confirm = setupActions.disconnect.button('Disconnect', undefined, 'danger')
  return modal({
    // Has a button, and nothing to submit.
    id: messageModalId,
    origin: { workspace: actor.workspace, channel },
    title: 'Disconnect',
    close: 'Cancel',
    blocks: [blocks.section(question), ...blocks.actionRow([confirm])],
  })
}

async function disconnect(services: Services, { actor, tenant }: routing.Interaction): Promise<Answer> {
  const { store, audit, homeTab } = services
  await store.credentials.delete(tenant)
  await audit.record(actor, 'disconnected the phone account')
  homeTab.emit('outdated', actor)
  const sentence = 'Disconnected. The API key and secret are deleted.'
  return { message: blocks.textMessage(sentence, [buttons.connectButton]) }
}

export function accountConnection(services: Services): routing.FeatureRoutes {
  const openConnectHandler: routing.Handler<{ readonly click?: Click }> = {
    needs: 'admin',
    opensModal: true,
    handle: ({ interaction, click }) => openConnect(services, interaction, click?.replyTo),
  }
  const openDisconnectHandler: routing.Handler<object> = {
    needs: 'admin',
    opensModal: true,
    handle: ({ interaction }) => openDisconnect(services, interaction),
  }
  return {
    commands: [
      { command: 'calls', word: 'connect', moreWords: 'secret', ...openConnectHandler },
      { command: 'calls', word: 'disconnect', ...openDisconnectHandler },
    ],
    actions: routing.bind(setupActions, {
      connect: openConnectHandler,
      replaceKey: openConnectHandler,
      askDisconnect: openDisconnectHandler,
      disconnect: { needs: 'admin', handle: ({ interaction }) => disconnect(services, interaction) },
    }),
    submissions: [
      {
        view: CONNECT_ID,
        needs: 'admin',
        handle: ({ interaction, view }) => connect(services, interaction, view),
      },
    ],
  }
}
