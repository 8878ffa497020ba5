import { expect, it } from 'vitest'
import { readQuestion } from '../../../dev/demo/page/question.ts'
import { allTools } from '../../features/slackbot/slackbot.ts'

it.each([
  ['Which calls did we miss yesterday?', 'list_calls range=yesterday status=missed'],
  [
    'which calls did we miss Monday on the sales london line',
    'list_calls range=Monday line=sales london status=missed',
  ],
  [
    'Outgoing calls of Anna Smith last 7 days',
    'list_calls range=last 7 days direction=outgoing agent=Anna Smith',
  ],
  ['Did anybody call +44 20 7946 0042 back?', 'list_calls number=+44 20 7946 0042'],
  ['What did I miss this morning?', 'list_calls range=this morning status=missed agent=me'],
  ['Who is waiting for a call back?', 'list_calls open=true'],
  ['Calls that came in last month by agent', 'report_calls range=last month by=agent direction=incoming'],
  ['How did last week go?', 'report_calls range=last week'],
  ['Who answers our calls?', 'list_agents'],
  ['Which numbers do we have?', 'list_lines'],
  ['What does our phone account cost?', 'show_billing'],
])('reads "%s"', (question, call) => {
  const { tool = '', args = {}, missing } = readQuestion(question) ?? {}
  const fields = Object.entries(args).map(([name, value]) => `${name}=${value}`)
  expect([tool, ...fields].join(' ')).toBe(call)
  expect(missing).toEqual([])
  const known = allTools.find(({ name }) => name === tool)
  expect(known?.input.safeParse(args).success).toBe(true)
})

it('says which fields a tool lacks, and reads nothing into other questions', () => {
  expect(readQuestion('What did we pay last month?')?.missing).toEqual(['range'])
  expect(readQuestion('Good morning!')).toBeUndefined()
  expect(readQuestion('What is the weather like today?')).toBeUndefined()
})
