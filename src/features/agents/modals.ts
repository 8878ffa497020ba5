import type { types } from '@slack/bolt'
import {
  actionRow,
  confirmation,
  context,
  escapeText,
  LIMITS,
  richLink,
  section,
} from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import type { ViewOrigin } from '../../slack/blocks/values.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Agent } from '../../telephony/wire.ts'
import { agentsActions } from './query.ts'
import { formatName, onOff } from './words.ts'

const agentModal = (
  agent: Pick<AgentSummary, 'id' | 'name'>,
  blocks: types.KnownBlock[],
  origin: ViewOrigin,
) =>
  modal({
    id: 'agents.details',
    origin,
    title: formatName(agent).slice(0, LIMITS.modalTitle) || 'Agent',
    blocks,
  })

export const notFound = noticeModal("This agent isn't in the phone account any more.", { title: 'Agent' })

/** Shows the details of an agent, and to administrators a button for the SIP password. */
export function detailsModal(agent: AgentSummary, isAdmin: boolean, origin: ViewOrigin): types.ModalView {
  const facts = [
    ['ID', agent.id],
    ['Caller ID', agent.callerId],
    ['SIP login', agent.sipLogin],
    ['IP restriction', onOff(agent.ipRestriction)],
    ['Follow-me', onOff(agent.followMe)],
  ]
  const reveal = {
    ...agentsActions.reveal.button('Show SIP password', { id: agent.id }),
    confirm: confirmation(
      `Show ${formatName(agent)}'s SIP password?`,
      'Only you see it. The audit log records that you looked.',
      'Show password',
      'Cancel',
    ),
  }
  const lines = facts.map(([name, value]) => `*${name}*: ${escapeText((value || '–').slice(0, 300))}`)
  return agentModal(
    agent,
    [
      section(lines.join('\n')),
      ...(isAdmin ? actionRow([reveal]) : [context('Administrators can see the SIP password here.')]),
    ],
    origin,
  )
}

/**
 * Shows the password and the link of the webphone. It has no interactive elements: a click would send the whole view, and
 * with it the password, back through Slack.
 */
export function secretsModal(agent: Agent, origin: ViewOrigin): types.ModalView {
  const isLink =
    URL.canParse(agent.webphone) && /^https?:/.test(agent.webphone) && agent.webphone.length <= LIMITS.url
  const what = isLink ? 'this password or link' : 'this password'
  return agentModal(
    agent,
    [
      section(`*SIP login*: ${escapeText(agent.sipLogin.slice(0, 300) || '–')}`),
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'SIP password' }] },
          {
            type: 'rich_text_preformatted',
            elements: [{ type: 'text', text: agent.sipPassword.slice(0, 1000) || '–' }],
          },
        ],
      },
      ...(isLink ? [richLink('Open the webphone', agent.webphone)] : []),
      context(
        escapeText(`Anyone with ${what} can make calls as ${formatName(agent)}. Close this when done.`),
      ),
    ],
    origin,
  )
}
