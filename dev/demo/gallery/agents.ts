import { agentsGrammar, helpMessage, problemsMessage } from '../../../src/features/agents/command.ts'
import { detailsModal, secretsModal } from '../../../src/features/agents/modals.ts'
import { notFound } from '../../../src/features/agents/routes.ts'
import { agentsAnswer, sharedAgents } from '../../../src/features/agents/view.ts'
import { readWords } from '../../../src/grammar/read-words.ts'
import { splitWords } from '../../../src/grammar/words.ts'
import type { Agent } from '../../../src/telephony/types.ts'
import { type FeatureSample, forBoth, message, modal } from './sample.ts'
import { ada, adaName, nonce, support, team, today } from './setting.ts'

const names = [
  'Anna Smith',
  'David Smith',
  'Zoë Smithers',
  'Benedict Okafor',
  'Chloé Martin',
  'Elif Yıldız',
  'Joanna Reyes',
  "Maeve O'Neill",
  'Jürgen Groß',
  'Sales & Support <EU>',
  'Priya Raman',
  'Tomasz Wolny',
]

const agent = (name: string, index: number): Agent => ({
  id: String(1001 + index),
  name,
  callerId: `+4930555${2000 + index}`,
  ipRestriction: index % 3 === 0,
  followMe: index % 2 === 0,
  sipLogin: `larkfield-${1001 + index}`,
  sipPassword: 'an-invented-password',
  webphone: 'https://webphone.example.com/?signature=invented',
})

/** The agents of the account. */
export const account: readonly Agent[] = names.map(agent)

const list = (name: string, page: number, agents: readonly Agent[] = account) => ({
  query: { name, page },
  agents,
  nonce,
})
const anna = agent('Anna Smith', 0)
/** What the service left empty or wrote in a way of its own. */
const sparse: Agent = { ...anna, callerId: '', sipLogin: '', ipRestriction: { raw: 'maybe' }, webphone: '' }

export const agents: readonly FeatureSample[] = [
  message('First page', agentsAnswer(list('', 1)).message),
  message('Last page', agentsAnswer(list('', 2)).message),
  message('By a part of the name', agentsAnswer(list('smith', 1, account.slice(0, 3))).message),
  message('One of that name', agentsAnswer(list('anna', 1, account.slice(0, 1))).message),
  message('Shared in a channel', sharedAgents(list('', 2), { id: ada, name: adaName })),
  message('Nothing but a name', agentsAnswer(list('', 1, [sparse])).message),
  message('No agents', agentsAnswer(list('', 1, [])).message),
  message('Nobody of that name', agentsAnswer(list('nobody', 1, [])).message),
  message('Beyond the last page', agentsAnswer(list('', 5)).message),
  ...forBoth('Details', (name, isAdmin) =>
    modal(name, detailsModal({ team, channel: support, agent: anna, isAdmin })),
  ),
  modal(
    'Details that are not all there',
    detailsModal({ team, channel: support, agent: sparse, isAdmin: false }),
  ),
  modal('SIP password', secretsModal(anna, team, support)),
  modal('SIP password, no webphone', secretsModal(sparse, team, support)),
  modal('Not there any more', notFound),
  message('Help', helpMessage()),
  message(
    'Words that make no sense',
    problemsMessage(readWords(splitWords('page:0 status:on'), agentsGrammar, today)),
  ),
]
