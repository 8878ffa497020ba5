import { expect, it } from 'vitest'
import { readQuestion } from '../../../dev/demo/page/question.ts'
import { allTools } from '../../features/slackbot/slackbot.ts'

it.each([
  ['Which calls did we miss yesterday?', 'list_calls', { status: 'missed', range: 'yesterday' }],
  [
    'which calls did we miss on Monday on the sales london line',
    'list_calls',
    { status: 'missed', range: 'Monday', line: 'sales london' },
  ],
  [
    'Show me outgoing calls of Anna Smith last 7 days',
    'list_calls',
    { direction: 'outgoing', agent: 'Anna Smith', range: 'last 7 days' },
  ],
  ['Did anybody call +44 20 7946 0042 back?', 'list_calls', { number: '+44 20 7946 0042' }],
  [
    'Missed calls on Support Berlin today',
    'list_calls',
    { status: 'missed', line: 'Support Berlin', range: 'today' },
  ],
  ['What did I miss this morning?', 'list_calls', { status: 'missed', agent: 'me', range: 'this morning' }],
  ['Who is waiting for a call back?', 'list_calls', { open: true }],
  [
    'How many calls came in last month by agent?',
    'report_calls',
    { direction: 'incoming', range: 'last month', by: 'agent' },
  ],
  ['How did last week go?', 'report_calls', { range: 'last week' }],
  ['Who answers our calls?', 'list_agents', {}],
  ['Which numbers do we have?', 'list_lines', {}],
  ['What does our phone account cost?', 'show_billing', {}],
])('reads "%s"', (question, tool, args) => {
  expect(readQuestion(question)).toEqual({ tool, args, missing: [] })
  const known = allTools.find(({ name }) => name === tool)
  expect(known?.input.safeParse(args).success).toBe(true)
})

it('says which fields a tool lacks, and reads nothing into other questions', () => {
  expect(readQuestion('What did we pay last month?')).toEqual({
    tool: 'show_billing',
    args: {},
    missing: ['range'],
  })
  expect(readQuestion('Good morning!')).toBeUndefined()
  expect(readQuestion('What is the weather like today?')).toBeUndefined()
})
