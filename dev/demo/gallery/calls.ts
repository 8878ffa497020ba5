import type { Chapter } from './recorder.ts'
import { minuteMs, refusal } from './stage.ts'

const none = { kind: 'set', envelope: { total_record: '0', result: [] } } as const
const unclear = { 'Date Time': '0000-00-00 00:00:00', Duration: 'n/a', Status: 'voicemail', Cost: '' }

export const calls: Chapter = {
  feature: 'Calls',
  async play(stage) {
    const { slack, sandbox, ada, ben, support } = stage
    const first = await stage.say('First page', '/calls')
    slack.failNext('response_url', { status: 400, ...refusal('msg_blocks_too_long') })
    await stage.sayAll({
      'First page, as lines of text': '/calls',
      'A page in the middle': '/calls page:3',
    })
    await stage.press('Last page', [first, 'calls.page.last'])
    await stage.sayAll({
      'Missed on one day': '/calls missed yesterday',
      Outgoing: '/calls outgoing',
    })
    const agents = await stage.say('', '/agents hollis')
    await stage.press('Opened from the agents', [agents, 'Calls'])
    await stage.sayAll({
      'Narrowed to one agent': '/calls missed agent:hollis',
      'Over a clock change': '/calls 2026-10-19..2026-10-26',
    })
    sandbox.faults.next({ kind: 'set', record: unclear })
    await stage.say('Values that are not understood', '/calls')
    sandbox.faults.next(none)
    await stage.say('No calls yet', '/calls')
    await stage.sayAll({
      'Nothing matches': '/calls missed agent:hollis 2026-11-05',
      'Beyond the last page': '/calls page:99',
    })
    await ada.press(await stage.say('', '/calls page:2'), 'calls.share')
    const shared = await stage.posted('Shared in a channel', support, 'Incoming calls')
    slack.failNext('response_url', { status: 400, ...refusal('msg_blocks_too_long') })
    await ada.press(await stage.say('', '/calls page:2'), 'calls.share')
    await stage.posted('Shared in a channel, as lines of text', support, 'Incoming calls')
    await stage.press('What somebody else shared is not removed', [shared, 'Remove'], ben)
    const list = await stage.say('', '/calls')
    const form = await stage.open('Filter', [list, 'Filter…'])
    const narrow = await stage.say('', '/calls missed agent:hollis 2026-11-01..2026-11-05')
    await stage.open('Filter, filled in', [narrow, 'Filter…'])
    stage.pass(31 * minuteMs)
    await stage.submit('Filter, submitted too late', form)
    const help = await stage.say('Help', '/calls help')
    await stage.press('All words', [help, 'All words'])
    await stage.sayAll({
      'A word with a slip in it': '/calls mised yesterday',
      'Words that are not recognised': '/calls yesterdey page:0 status:lost',
      'Dates the other way round': '/calls from:2026-11-05 to:2026-11-01',
      'Words that a command does not take': '/calls schedule daily',
      'A command that Callboard does not know': '/callboard bla',
      'A name that several agents have': '/calls agent:smith',
      'A name that no agent has': '/calls agent:nobody',
    })
    await stage.nameLines('Sales Berlin', 'Sales London', 'Sales New York', 'Sales Paris')
    await stage.say('A line with a name', '/calls')
  },
}

export const recordings: Chapter = {
  feature: 'Calls',
  config: { recordingsBaseUrl: 'https://recordings.example.com/' },
  play: (stage) => stage.say('Recordings as links', '/calls'),
}

const number = '+442079460042'
const digits = number.slice(1)

export const numbers: Chapter = {
  feature: 'Calls by number',
  async play(stage) {
    const { slack, ada, support } = stage
    stage.addCalls('+442079460099', 7)
    stage.addCalls(number, 64)
    const some = await stage.say('In both directions', '/calls number:9460099')
    slack.failNext('response_url', { status: 400, ...refusal('msg_blocks_too_long') })
    await stage.sayAll({
      'In both directions, as lines of text': '/calls number:9460099',
      'A page in the middle': `/calls number:${digits} page:2`,
      'Of one agent': `/calls outgoing number:9460099 agent:1001`,
    })
    await stage.press('In the last 90 days', [some, 'Last 90 days'])
    await stage.sayAll({ 'No calls': '/calls number:998877665', 'Too few digits': '/calls number:12' })
    await ada.press(await stage.say('', '/calls number:9460099'), 'calls.share')
    await stage.posted('Shared in a channel', support, '9460099')
    const form = await ada.open(some, 'calls.filter')
    await stage.submit('Filter, for a number', form, { number: '12' })
    const found = await stage.find('From a message', `Did anybody call ${number} back?`)
    await stage.open('', [found, 'calls.number.page.next'])
    await stage.find('From a message: no calls', 'Call +49 89 12345678.')
    await stage.find('From a message: several numbers', `Call ${number} or +49 30 23125042.`)
    await stage.find('From a message: no number', 'Hello!')
    await stage.say('', '/calls timezone UTC')
    await stage.find('From a message: no number, and no country', 'Hello!')
  },
}

/** A service that takes its time, and many calls. */
export const slowNumbers: Chapter = {
  feature: 'Calls by number',
  readForMs: 5000,
  async play(stage) {
    stage.addCalls(number, 31)
    stage.addCalls('+390699990000', 700)
    stage.slowly(250)
    await stage.saySlowly(['Reading, before the answer'], '/calls number:44207946')
    stage.pass(2 * minuteMs)
    const reading = await stage.ada.shortcut('calls.find-number', 'Call +44 20 7946 0043.')
    await stage.sees('From a message: reading', reading, '█')
    stage.slowly(600)
    await stage.saySlowly(
      ['Reading more than there is time for', 'The time ran out'],
      '/calls number:42079460',
    )
    stage.pass(2 * minuteMs)
    await stage.find('From a message: the time ran out', number)
    await stage.halfWay(() => stage.say('The service went away half way', '/calls number:4420794'))
    await stage.halfWay(() =>
      stage.find('From a message: the service went away half way', 'Call +44 20 7946 0044.'),
    )
  },
}

const emptyAddOn = {
  agents: { no_of_agents: '0', price_per_agent: '$0.00', total_agent_price: '$0.00' },
  storage: { no_of_storage: '0GB', price_per_gb: '$0.00', total_storage_price: '$0.00' },
  crm: { no_of_crm: '0', total_storage_price: '$0.00' },
  did: [],
}

export const lines: Chapter = {
  feature: 'Names of lines',
  async play(stage) {
    const { ada } = stage
    stage.sandbox.faults.always(none, { operation: 'incoming' })
    stage.sandbox.faults.always({ kind: 'set', record: { addon: emptyAddOn } }, { operation: 'billing' })
    await stage.open('No numbers', '/calls lines')
    stage.sandbox.faults.clear()
    stage.pass(5 * minuteMs)
    await stage.nameLines('Sales Berlin')
    await stage.open('Names', '/calls lines')
    const form = await ada.open('/calls lines')
    await stage.submit('Names that are not taken', form, { 'line-1': 'Sales Berlin', 'line-2': '2' })
    await stage.submitSlowly(['Saved'], form, { 'line-1': 'Sales New York', 'line-2': 'Support' })
    await stage.sayAll({
      'A name that several lines have': '/calls missed line:sales',
      'A name that no line has': '/calls line:warehouse',
    })
  },
}
