import type { types } from '@slack/bolt'
import leven from 'leven'
import { z } from 'zod'
import { AGENT_LENGTHS } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { action, commandButton } from '../../slack/blocks/action.ts'
import { actionRow, escapeText, section } from '../../slack/blocks/blocks.ts'
import { modalWithMetadata, readMetadata } from '../../slack/blocks/values.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { type ClickPlace, clickPlace } from '../../slack/deliver/clicks.ts'
import { Form } from '../../slack/forms/form.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { OwnAgentRecord } from '../../store/workspaces.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import type { Account } from '../../telephony/types.ts'
import { agentField } from './query-form.ts'

const MINE = '/calls agent:me'
const VIEW = 'calls.me'
const MAX_SUGGESTED = 5

const commandSchema = z.string().startsWith('/').max(1000)
const agentMetadataSchema = clickPlace.extend({ command: commandSchema })

const ownAgentActions = {
  choose: action('calls.me.', z.strictObject({ agentId: z.string(), command: commandSchema })),
  /** Opens the menu of all agents. */
  other: action('calls.me-other', commandSchema),
}

export const changeAgentButton = ownAgentActions.other.button('Change…', MINE)

/** Sorts agents by how much their names resemble the person's: shared words first, then spelling. */
function byLikeness(name: string) {
  const own = name.toLowerCase().split(/\s+/)
  const rank = (agent: AgentSummary) => {
    const words = agent.name.toLowerCase().split(/\s+/)
    return (
      leven(name.toLowerCase(), agent.name.toLowerCase()) -
      100 * own.filter((one) => words.includes(one)).length
    )
  }
  return (one: AgentSummary, other: AgentSummary) => rank(one) - rank(other)
}

/** Asks a person once which agent they are, for `/calls mine` and `agent:me`. */
export class OwnAgent {
  readonly #services

  constructor(services: Pick<Services, 'store' | 'workspaces' | 'agentList' | 'homeTab'>) {
    this.#services = services
  }

  /** Fails open: an unreadable record counts as no answer, and the person is asked again. */
  find({ tenant, person }: Pick<Actor, 'tenant' | 'person'>): Promise<OwnAgentRecord | undefined> {
    return whereReadable(this.#services.store.ownAgents.get(tenant, person.id))
  }

  /** @param command runs once the person has answered, as typed */
  ask({ person }: Actor, agents: readonly AgentSummary[], command: string): Answer {
    const text = 'Which agent are you?'
    const likely = agents.toSorted(byLikeness(person.name)).slice(0, MAX_SUGGESTED)
    const buttons = likely.map(({ id, name }, index) => {
      const value = { agentId: id.slice(0, AGENT_LENGTHS.id), command }
      return ownAgentActions.choose.named(String(index)).button(name || id, value)
    })
    const other = ownAgentActions.other.button('Someone else…', command)
    return { message: { text, blocks: [section(`*${text}*`), ...actionRow([...buttons, other])] } }
  }

  async #choose({ actor, tenant }: Interaction, agentId: string, command: string): Promise<Answer> {
    const { store, workspaces, agentList, homeTab } = this.#services
    const agents = await agentList.list(await workspaces.account(tenant))
    const agent = agents.find(({ id }) => id.slice(0, AGENT_LENGTHS.id) === agentId)
    if (!agent) return textAnswer("That agent doesn't exist any more. Try `/calls mine` again.")
    const agentName = agent.name.slice(0, AGENT_LENGTHS.name)
    await store.ownAgents.set({ agentId: agent.id, agentName }, tenant, actor.person.id)
    homeTab.emit('outdated', actor)
    const text = `You are ${escapeText(agent.name || agent.id)}.`
    const show = commandButton(
      'mine',
      command.replaceAll('"', '') === MINE ? 'Show my calls' : 'Continue',
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
          handle: (interaction, { agentId, command }) => this.#choose(interaction, agentId, command),
        },
        other: {
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
            return { place, answer: () => this.#choose(interaction, agent, command) }
          },
        },
      ],
    }
  }
}

const createAgentForm = () =>
  new Form({ agent: agentField({}).checked((id) => (id === undefined ? 'Choose an agent.' : undefined)) })

/** Returns the agents' names by login. Fails open: a list is shown without them. */
export async function findAgentNames(
  { agentList, log }: Pick<Services, 'agentList' | 'log'>,
  account: Account,
): Promise<ReadonlyMap<string, string>> {
  try {
    const named = (await agentList.list(account)).filter(
      ({ sipLogin, name }) => sipLogin !== '' && name !== '',
    )
    return new Map(named.map(({ sipLogin, name }) => [sipLogin, name]))
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    log.info({ outcome: error.outcome }, 'calls are shown without names of agents')
    return new Map()
  }
}
