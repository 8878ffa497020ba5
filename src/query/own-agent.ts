import { z } from 'zod'
import type { Services } from '../services.ts'
import type { Actor } from '../slack/access/guards.ts'
import { action } from '../slack/blocks/actions.ts'
import * as blocks from '../slack/blocks/blocks.ts'
import { modalWithMetadata, readMetadata } from '../slack/blocks/modal.ts'
import { type Answer, mapMessages, textAnswer } from '../slack/deliver/answers.ts'
import { offerOnFailure } from '../slack/deliver/apologies.ts'
import { Form } from '../slack/forms/form.ts'
import type { Click } from '../slack/inbound/payloads.ts'
import type { RunCommand } from '../slack/routing/commands.ts'
import * as routes from '../slack/routing/routes.ts'
import { AgentLabels } from '../telephony/agent-labels.ts'
import type { AgentSummary } from '../telephony/agent-list.ts'
import { filterByName } from '../util/names.ts'
import { joinNames } from '../util/text.ts'
import { toAgentFilter } from './directory.ts'
import { agentField, toMenuAgentId } from './fields.ts'

const VIEW = 'calls.me'
const MAX_AGENT_BUTTONS = 5
const MAX_NAMES_IN_TEXT = 50

const commandSchema = z.string().startsWith('/').max(1000)
const agentMetadataSchema = z.object({ command: commandSchema })

const ownAgentActions = {
  /** Each button adds its number to the id. */
  choose: action('calls.me.', z.strictObject({ agentId: z.string(), command: commandSchema })),
  openAgentForm: action('calls.me-other', commandSchema),
}

/** For the Home tab. The command runs after the person has chosen an agent. */
export const changeAgentButton = ownAgentActions.openAgentForm.button('Change…', '/calls mine')

/** @param command the command as typed; each button saves an agent and runs it */
export function askOwnAgent({ person }: Actor, agents: readonly AgentSummary[], command: string): Answer {
  const question = 'Which agent are you?'
  const labels = new AgentLabels(agents)
  // Agents with the person's name come first.
  const sorted = [...new Set([...filterByName(agents, person.name), ...agents])]
  const buttons = sorted.slice(0, MAX_AGENT_BUTTONS).map((agent, index) => {
    const value = { agentId: toMenuAgentId(agent), command }
    return ownAgentActions.choose.named(String(index)).button(labels.get(agent), value)
  })
  const other = ownAgentActions.openAgentForm.button('Someone else…', command)
  // Slackbot gets the text only.
  const names = sorted.map((agent) => `"${blocks.escapeText(labels.get(agent))}"`)
  const text = `${question} ${joinNames(names, { max: MAX_NAMES_IN_TEXT, conjunction: 'or' })}`
  const content = [blocks.section(`*${question}*`), ...blocks.actionRow([...buttons, other])]
  return { message: { text, blocks: content } }
}

/** Says above the answer which agent the person is; only that if the command no longer exists. */
function withOwnAgent(answer: Answer | undefined, agentName: string, command: string): Answer {
  const text = `You're ${blocks.escapeText(agentName)}.`
  const change = ownAgentActions.openAgentForm.button('Change…', command)
  const note = blocks.sectionWith(`${text} Not you?`, change)
  if (!answer) return { message: { text, blocks: [note] } }
  return mapMessages(answer, (message) => ({
    text: `${text} ${message.text}`,
    blocks: [note, ...(message.blocks ?? [blocks.section(message.text)])],
  }))
}

const agentForm = new Form({ agent: agentField({}, 'Choose an agent') })

function renderAgentForm({ actor, channel }: routes.Interaction, { replyTo }: Click, command: string) {
  return modalWithMetadata(agentMetadataSchema, {
    id: VIEW,
    origin: { workspace: actor.workspace, channel, openedBy: replyTo },
    metadata: { command },
    title: 'Which agent are you?',
    submit: 'Save',
    blocks: agentForm.buildInputs(),
  })
}

/** @param run runs the command that needed the answer */
export function ownAgentRoutes(services: Services, run: RunCommand) {
  async function saveAndRun(interaction: routes.Interaction, menuAgentId: string, command: string) {
    const { store, workspaces, agentList, homeTab } = services
    const { actor, tenant } = interaction
    const account = await workspaces.getAccount(tenant)
    const choice = { agentId: menuAgentId, command }
    const makeOffers = () => ({ retry: ownAgentActions.choose.named('again').button('Try again', choice) })
    const { agents } = await offerOnFailure(makeOffers, agentList.get(account))
    const agent = agents.find((candidate) => toMenuAgentId(candidate) === menuAgentId)
    if (!agent) return textAnswer("That agent doesn't exist any more. Try `/calls mine` again.")
    const ownAgent = toAgentFilter(agent, new AgentLabels(agents))
    await store.ownAgents.set(ownAgent, tenant, actor.person.id)
    homeTab.emit('outdated', actor)
    return withOwnAgent(await run(interaction, command), ownAgent.agentName, command)
  }

  const actions = routes.bind(ownAgentActions, {
    choose: {
      needs: 'calls',
      handle: ({ interaction, value }) => saveAndRun(interaction, value.agentId, value.command),
    },
    openAgentForm: {
      needs: 'calls',
      opensModal: true,
      handle: async ({ interaction, value: command, click }) => renderAgentForm(interaction, click, command),
    },
  })
  const submission: routes.SubmissionRoute = {
    view: VIEW,
    needs: 'calls',
    async handle({ interaction, view }) {
      const { command } = readMetadata(view, agentMetadataSchema)
      const { values, errors } = agentForm.read(view)
      if (errors) return { errors }
      return { answer: saveAndRun(interaction, values.agent, command) }
    },
  }
  return { actions, submissions: [submission] }
}
