import type { types } from '@slack/bolt'
import leven from 'leven'
import { z } from 'zod'
import { AGENT_LENGTHS } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { action, commandButton, modalWithMetadata, readMetadata } from '../../slack/blocks/action.ts'
import { actionRow, escapeText, section } from '../../slack/blocks/blocks.ts'
import { type Answer, type ClickPlace, clickPlace, textAnswer } from '../../slack/deliver/replies.ts'
import { Form } from '../../slack/forms/form.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { OwnAgentRecord } from '../../store/workspaces.ts'
import type { AgentSummary } from '../../telephony/account-cache.ts'
import { agentField } from './query-form.ts'

/** `/calls mine` as stored in buttons. */
const OWN_CALLS_COMMAND = '/calls agent:me'
const VIEW = 'calls.me'
const MAX_SUGGESTED = 5
/** Outweighs any difference in spelling. */
const SHARED_WORD_BONUS = 100

const commandSchema = z.string().startsWith('/').max(1000)
const agentMetadataSchema = clickPlace.extend({ command: commandSchema })

const ownAgentActions = {
  choose: action('calls.me.', z.strictObject({ agentId: z.string(), command: commandSchema })),
  openAgentMenu: action('calls.me-other', commandSchema),
}

export const changeAgentButton = ownAgentActions.openAgentMenu.button('Change…', OWN_CALLS_COMMAND)

/** Sorts agents by how much their names resemble the person's: shared words first, then spelling. */
function bySimilarity(personName: string) {
  const name = personName.toLowerCase()
  const rank = (agent: AgentSummary) => {
    const agentName = agent.name.toLowerCase()
    const agentWords = agentName.split(/\s+/)
    const sharedWords = name.split(/\s+/).filter((word) => agentWords.includes(word))
    return leven(name, agentName) - SHARED_WORD_BONUS * sharedWords.length
  }
  return (a: AgentSummary, b: AgentSummary) => rank(a) - rank(b)
}

/** Button values are limited, so they contain the beginning of the id. */
const toButtonId = ({ id }: AgentSummary) => id.slice(0, AGENT_LENGTHS.id)

/** Asks a person once which agent they are, for `/calls mine` and `agent:me`. */
export class OwnAgent {
  readonly #services

  constructor(services: Pick<Services, 'store' | 'workspaces' | 'agentList' | 'homeTab'>) {
    this.#services = services
  }

  /** Treats an unreadable record as missing, so that the person is asked again. */
  find({ tenant, person }: Pick<Actor, 'tenant' | 'person'>): Promise<OwnAgentRecord | undefined> {
    return whereReadable(this.#services.store.ownAgents.get(tenant, person.id))
  }

  /** @param command the command as typed, offered as a button once the person has answered */
  ask({ person }: Actor, agents: readonly AgentSummary[], command: string): Answer {
    const text = 'Which agent are you?'
    const likely = agents.toSorted(bySimilarity(person.name)).slice(0, MAX_SUGGESTED)
    const buttons = likely.map((agent, index) => {
      const value = { agentId: toButtonId(agent), command }
      return ownAgentActions.choose.named(String(index)).button(agent.name || agent.id, value)
    })
    const other = ownAgentActions.openAgentMenu.button('Someone else…', command)
    return { message: { text, blocks: [section(`*${text}*`), ...actionRow([...buttons, other])] } }
  }

  async #saveChoice({ actor, tenant }: Interaction, agentId: string, command: string): Promise<Answer> {
    const { store, workspaces, agentList, homeTab } = this.#services
    const agents = await agentList.list(await workspaces.account(tenant))
    const agent = agents.find((one) => toButtonId(one) === agentId)
    if (!agent) return textAnswer("That agent doesn't exist any more. Try `/calls mine` again.")
    const agentName = agent.name.slice(0, AGENT_LENGTHS.name)
    await store.ownAgents.set({ agentId: agent.id, agentName }, tenant, actor.person.id)
    homeTab.emit('outdated', actor)
    const text = `You are ${escapeText(agent.name || agent.id)}.`
    const show = commandButton(
      'mine',
      // The command may have quotes: `agent:"me"`.
      command.replaceAll('"', '') === OWN_CALLS_COMMAND ? 'Show my calls' : 'Continue',
      command,
      'primary',
    )
    return { message: { text, blocks: [section(text), ...actionRow([show])] } }
  }

  #modal({ actor, channel }: Interaction, command: string, place: ClickPlace): types.ModalView {
    const form = createAgentForm()
    return modalWithMetadata(agentMetadataSchema, {
      id: VIEW,
      origin: { team: actor.team, channel },
      metadata: { ...place, command },
      title: 'Which agent are you?',
      submit: 'Save',
      blocks: form.inputs(),
    })
  }

  routes(): Pick<FeatureRoutes, 'actions' | 'submissions'> {
    return {
      actions: bind(ownAgentActions, {
        choose: {
          needs: 'calls',
          handle: (interaction, { agentId, command }) => this.#saveChoice(interaction, agentId, command),
        },
        openAgentMenu: {
          needs: 'calls',
          openModal: async (interaction, command, place) => this.#modal(interaction, command, place),
        },
      }),
      submissions: [
        {
          view: VIEW,
          needs: 'calls',
          handle: async (interaction, view) => {
            const { command, ...place } = readMetadata(view, agentMetadataSchema)
            const filled = createAgentForm().read(view)
            if (filled.errors) return { errors: filled.errors }
            const { agent = '' } = filled.values
            return { place, answer: () => this.#saveChoice(interaction, agent, command) }
          },
        },
      ],
    }
  }
}

const createAgentForm = () =>
  new Form({ agent: agentField({}).checked((id) => (id === undefined ? 'Choose an agent.' : undefined)) })
