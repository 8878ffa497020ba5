import { chapter, fail, nameLines, status, type Work, works } from './recorder.ts'

/** Captures a tool's result as Slackbot shows it. */
const ask =
  (name: string, tool: string, args = {}, who = 'ada'): Work =>
  async (stage) => {
    const { slack } = stage
    const { answer } = await slack.callTool(slack.appUrl, { user: stage.actor(who).user, tool, args })
    const text = { type: 'plain_text', text: answer.text.slice(0, 3000) }
    const blocks = answer.blocks.length > 0 ? [...answer.blocks] : [{ type: 'section', text }]
    stage.take(name, { text: name, blocks })
  }

const range = '2026-10-30..2026-11-05'

export const slackbotChapters = [
  chapter('Slackbot', {}, [
    nameLines('Sales Berlin', 'Support'),
    ask('Calls', 'list_calls', { status: 'missed', range }),
    ask('Calls, another page', 'list_calls', { direction: 'outgoing', page: 2 }),
    ask('Waiting alerts', 'list_calls', { open: true }),
    ask('No calls', 'list_calls', { status: 'missed', range: '2019-01-01' }),
    ask('Calls of a number', 'list_calls', { number: '0042', range: 'last 90 days' }),
    ask('A report', 'report_calls', { range, by: 'day' }),
    ask('A report without a call', 'report_calls', { range: '2019-01-01' }),
    ask('Agents', 'list_agents'),
    ask('No such agent', 'list_agents', { name: 'zebra' }),
    ask('The bill', 'show_billing'),
    ask('Lines', 'list_lines'),
    ask('Unknown days', 'list_calls', { range: 'yesturday' }),
    ask('Which agent', 'list_calls', { agent: 'a' }),
    ask('Not for a guest', 'list_calls', {}, 'gus'),
    ask('Billing, for whom it is not', 'show_billing', {}, 'ben'),
    fail(status(503)),
    ask('The phone service is down', 'list_calls'),
    works,
  ]),
]
