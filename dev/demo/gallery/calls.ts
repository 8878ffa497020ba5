import { messageBody } from '../../slack/shapes.ts'
import {
  chapter,
  fail,
  failNext,
  halfWay,
  nameLines,
  pass,
  type Step,
  slackFails,
  status,
  tooLong,
  works,
} from './recorder.ts'

const none = { kind: 'set', envelope: { total_record: '0', result: [] } } as const
const recordingsBaseUrl = 'https://recordings.example.com/'

const number = '+442079460042'

const emptyAddOn = {
  agents: { no_of_agents: '0', price_per_agent: '$0.00', total_agent_price: '$0.00' },
  storage: { no_of_storage: '0GB', price_per_gb: '$0.00', total_storage_price: '$0.00' },
  crm: { no_of_crm: '0', total_storage_price: '$0.00' },
  did: [],
}

const week = '2026-10-30..2026-11-05'
const finance = { channel: 'C0FINANCE1' }

const missed = '/calls export missed 2026-10-01..2026-11-05'

export const callChapters = [
  chapter('Calls', {}, [
    ['First page', '/calls'],
    ['First page, as lines of text', '/calls', tooLong],
    ['A page in the middle', '/calls page:3'],
    ['Last page', 'First page > calls.page.last'],
    ['Missed on one day', '/calls missed yesterday'],
    ['Outgoing', '/calls outgoing'],
    ['Opened from the agents', '/agents hollis > Calls'],
    ['Narrowed to one agent', '/calls missed agent:hollis'],
    ['Over a clock change', '/calls 2026-10-19..2026-10-26'],
    failNext({
      kind: 'set',
      record: { 'Date Time': '0000-00-00 00:00:00', Duration: 'n/a', Status: 'voicemail', Cost: '' },
    }),
    ['Values that are not understood', '/calls'],
    ['No calls yet', '/calls', failNext(none)],
    ['Nothing matches', '/calls missed agent:hollis 2026-11-05'],
    ['Beyond the last page', '/calls page:99'],
    '/calls page:2 > calls.share',
    ['Shared in a channel', '#support Incoming calls'],
    tooLong,
    '/calls page:2 > calls.share',
    ['Shared in a channel, as lines of text', '#support Incoming calls'],
    ['What somebody else shared is not removed', 'ben: Shared in a channel > Remove'],
    ['Filter', '/calls > Filter…'],
    ['Filter, filled in', '/calls missed agent:hollis 2026-11-01..2026-11-05 > Filter…'],
    ['Filter, submitted too late', 'Filter', {}, pass(31)],
    ['Help', '/calls help'],
    ['All commands', 'Help > All commands'],
    ['All commands, as lines of text', 'Help > All commands', tooLong],
    ['A misspelled word', '/calls mised yesterday'],
    ['Words that are not understood', '/calls who took what'],
    ['A page that does not exist', '/calls page:0'],
    ['Dates in the wrong order', '/calls from:2026-11-05 to:2026-11-01'],
    ['An agent by name alone', '/calls hollis grant missed'],
    ['The start of a name', '/calls holl'],
    ['Words that a command does not take', '/calls schedule daily'],
    ['A command that Callboard does not know', '/callboard bla'],
    ['A name that several agents have', '/calls agent:smith'],
    ['A name that no agent has', '/calls agent:nobody'],
    nameLines('Sales Berlin', 'Sales London', 'Sales New York', 'Sales Paris'),
    ['A line with a name', '/calls'],
  ]),
  chapter('Calls', { config: { recordingsBaseUrl } }, [['Recordings as links', '/calls']]),
  chapter('Calls by number', {}, [
    (stage) => stage.addCalls('+442079460099', 7),
    ['In both directions', '/calls number:9460099', (stage) => stage.addCalls(number, 64)],
    ['In both directions, as lines of text', '/calls number:9460099', tooLong],
    ['A page in the middle', `/calls number:${number.slice(1)} page:2`],
    ['Of one agent', '/calls outgoing number:9460099 agent:1001'],
    ['In the last 90 days', 'In both directions > Last 90 days'],
    ['No calls', '/calls number:998877665'],
    ['Too few digits', '/calls number:12'],
    '/calls number:9460099 > calls.share',
    ['Shared in a channel', '#support 9460099'],
    ['Filter, for a number', 'In both directions > calls.filter', { number: '12' }],
    ['From a message', `find Did anybody call ${number} back?`],
    ['', 'From a message > calls.page.next'],
    ['From a message: no calls', 'find Call +49 89 12345678.'],
    ['From a message: several numbers', `find Call ${number} or +49 30 23125042.`],
    ['From a message: no number', 'find Hello!'],
    ['', '/calls timezone UTC'],
    ['From a message: no number, and no country', 'find Hello!'],
  ]),
  /** A service that takes its time, and many calls. */
  chapter('Calls by number', { readForMs: 5000 }, [
    (stage) => stage.addCalls(number, 31),
    (stage) => stage.addCalls('+390699990000', 700),
    ['Reading, before the answer | ', '/calls number:44207946', (stage) => stage.slowly(250), pass(2)],
    pass(2),
    async (stage) => {
      const by = stage.actor('ada')
      const reading = await by.shortcut('calls.find-number', 'Call +44 20 7946 0043.')
      stage.take('From a message: reading', await by.sees(reading, 'Reading'))
    },
    (stage) => stage.slowly(600),
    ['Reading more than there is time for | The time ran out', '/calls number:42079460', pass(2)],
    ['From a message: the time ran out', `find ${number}`, pass(2)],
    halfWay(['The service went away half way', '/calls number:4420794']),
    halfWay(['From a message: the service went away half way', 'find Call +44 20 7946 0044.']),
  ]),
  chapter('Names of lines', {}, [
    fail(none, 'incoming'),
    ['No numbers', '/calls lines', fail({ kind: 'set', record: { addon: emptyAddOn } }, 'billing')],
    works,
    pass(5),
    nameLines('Sales Berlin'),
    ['Names', '/calls lines'],
    ['_form', '/calls lines'],
    ['Names that are not taken', '_form', { 'line-1': 'Sales Berlin', 'line-2': '2' }],
    ['Saved | ', '_form', { 'line-1': 'Sales New York', 'line-2': 'Support' }],
    ['A name that several lines have', '/calls missed line:sales'],
    ['A name that no line has', '/calls line:warehouse'],
  ]),
  chapter('Call reports', { calls: 1200 }, [
    ['Filter, no line has a name', '/calls report > Filter…'],
    nameLines('Sales New York', 'Sales London', 'Sales Berlin', 'Support'),
    ['By line, with its chart', `/calls report ${week}`],
    ['By line, with its chart, as lines of text', `/calls report ${week}`, tooLong],
    ['By line, with its details', 'By line, with its chart > Details'],
    ['By hour', `/calls report ${week} by:hour`],
    ['By weekday', `/calls report ${week} by:weekday`],
    ['By day', `/calls report ${week} by:day`],
    ['By agent', `/calls report ${week} by:agent`],
    ['One day, per hour', '/calls report today by:hour'],
    ['Outgoing calls', `/calls report ${week} outgoing by:weekday`],
    ['One agent', `/calls report ${week} agent:1001 by:day`],
    ['One line', `/calls report ${week} line:berlin incoming by:day`],
    ['Over a clock change', '/calls report 2026-10-22..2026-10-28 by:day'],
    ['No calls', '/calls report 2018-11-06 by:hour'],
    ['Words that are not understood', '/calls report yesterdey by:weekday'],
    ['Words that do not go together', '/calls report outgoing by:line'],
    ['A name that several agents have', '/calls report agent:smith'],
    ['A name that no agent has', '/calls report agent:nobody'],
    ['A name that no line has', '/calls report line:warehouse'],
    failNext({
      kind: 'set',
      record: { Duration: 'n/a', Status: 'VOICEMAIL', Cost: '', 'Date Time': '0000-00-00' },
    }),
    ['Values that are not understood', '/calls report 2026-10-01..2026-10-07'],
    fail({ kind: 'set', envelope: { total_record: '55756' } }),
    ['More than 20,000 calls', '/calls report 2026-08-06..2026-11-05'],
    ['_report', `/calls report ${week}`, works],
    ['Filter', '_report > Filter…'],
    ['Filter, filled in', `/calls report ${week} line:support agent:1001 by:day > Filter…`],
    ['Filter, submitted too late', 'Filter', {}, pass(31)],
    ['Preview of a post', `/calls report ${week} > report.more=post`],
    ['Posted', 'Preview of a post', finance],
    ['The post in a channel', '#finance'],
    ['_later', `/calls report ${week} > report.more=post`],
    ({ slack }) => slack.rateLimitNext('chat.postMessage', 30),
    ['Not accepted just now', '_later', finance],
    ['_old', '/calls report yesterday by:hour > report.more=post'],
    ({ sandbox: { accounts } }) => {
      const [like] = accounts.lively.calls('incoming')
      if (like)
        accounts.lively.addCalls({ ...like, id: 'late', at: new Date(like.at.getTime() - 24 * 3_600_000) })
    },
    ['Preview once more', '_old', finance, (stage) => stage.restart()],
    ['_away', `/calls report ${week}`],
    fail(status(503)),
    ['A post that could not be loaded', '_away > report.more=post', (stage) => stage.restart()],
  ]),
  chapter('Call reports', {}, [
    ({ slack }) => {
      slack.refuseCharts = true
    },
    ['Where Slack refuses charts', '/calls report'],
  ]),
  /** With alerts of the week. */
  chapter('Call reports', {}, [
    ['', '/calls alert', {}],
    (stage) => stage.polled(),
    ({ sandbox }) => sandbox.accounts.lively.missCalls(1),
    ['_alert', '#support Missed call', (stage) => stage.watch()],
    ['With an alert that nobody took', '/calls report today'],
    '_alert > alert.take',
    pass(11),
    ({ sandbox }) => sandbox.accounts.lively.missCalls(1),
    ['With what became of alerts', '/calls report today', (stage) => stage.watch()],
  ]),
  /** Where the service takes its time, or goes away. */
  chapter('Call reports', { readForMs: 4000 }, [
    (stage) => stage.addCalls('+390699990000', 700),
    ['Reading, once | ', '/calls report last 21 days', (stage) => stage.slowly(120), pass(2)],
    ['More than anybody waits for', '/calls report last 20 days', (stage) => stage.slowly(600)],
    ['By agent, and time ran out', '/calls report by:agent'],
    halfWay(['The service fails half way', '/calls report last 22 days']),
  ]),
  chapter('Export of calls', {}, [
    ['Started', missed],
    ['Sent', '@ada Here are'],
    slackFails('files.getUploadURLExternal', { delayMs: 7000 }),
    '/calls export outgoing',
    ['All of it is read', '@ada sending the file'],
    ['', '@ada Here are'],
    '/calls export missed yesterday',
    ['Sent, of one call', '@ada Here is 1'],
    ['Nothing to export', '/calls export missed 2018-12-01..2018-12-24'],
    ['A name that several agents have', '/calls export agent:smith'],
    ['Started, for a number', '/calls export number:2079460042'],
    ['', '/calls export number:99887766 2026-10-01..2026-11-05'],
    ['No call has the number', '@ada Nothing to export'],
    ['Too many calls', missed, fail({ kind: 'set', envelope: { total_record: '1254400' } })],
    ['Too many calls to look through for a number', '/calls export number:442079460042'],
    works,
    slackFails('files.completeUploadExternal', { status: 500, isDone: true }),
    missed,
    ['The file may have arrived', '@ada confirm that the file'],
    slackFails('files.getUploadURLExternal', 'missing_scope'),
    missed,
    ['Slack refuses the file', '@ada Export failed'],
    (stage) => stage.slowly(150),
    '/calls export',
    ['', '@ada Exporting'],
    ['The key and secret are no longer accepted', '@ada Export failed', works, fail(status(401))],
    works,
    (stage) => stage.connect(),
    (stage) => stage.slowly(150),
    '/calls export',
    (stage) => stage.failsAfter(5, status(429, { 'retry-after': '120' })),
    ['The service stays away', '@ada Export failed'],
    works,
    pass(5),
    (stage) => stage.slowly(150),
    'ben: /calls export',
    ['', '@ben Exporting'],
    ['', '/billing settings', { calls: 'admins' }],
    ['The right was taken away', '@ben Export failed', works],
    ['A button of one that is over', 'All of it is read > calls.export-cancel'],
  ]),
  /** What is shown of exports while they run. */
  chapter('Export of calls', { calls: 2000 }, [
    (stage) => stage.slowly(400),
    '/calls export',
    ['Not begun yet', '@ada Exporting'],
    ['Under way already', '/calls export'],
    ['Under way', '@ada █'],
    '/calls export outgoing number:442079460042',
    ['Under way, for a number', '@ada numbers with'],
    ['Started, behind others', 'ben: /calls export missed'],
    ['In line', '@ben is waiting'],
    ...Array.from({ length: 9 }, (_, n): Step => ['', `ben: /calls export missed from:2026-09-0${n + 1}`]),
    ['Too many exports', 'ben: /calls export answered'],
    'Under way > calls.export-cancel',
    ['Cancelled', '@ada Export cancelled'],
    async (stage) => {
      const ben = stage.actor('ben in direct')
      for (const message of stage.slack.messages({
        channel: stage.slack.directChannel(ben.user) ?? stage.channel('support'),
      }))
        if (message.onlyFor === undefined && message.blocks.length > 0)
          await ben.press(message, 'calls.export-cancel').catch(() => {})
    },
    works,
  ]),
  chapter('Export of calls', { calls: 2000 }, [
    (stage) => stage.slowly(400),
    '/calls export',
    ['', '@ada █'],
    (stage) => stage.restart(),
    pass(1),
    // It is changed again in no time.
    (stage) => {
      const updates = stage.slack.callsTo('chat.update')
      const told = updates.findLast(({ args }) => String(args['text']).includes('restarting'))
      const { text = '', blocks = [] } = messageBody.parse(told?.args)
      stage.take('Callboard is restarted', { text, blocks })
    },
    ['Begun again', '@ada has started again'],
    ['', '@ada Here are', works],
    (stage) => stage.slowly(400),
    fail({ kind: 'set', envelope: { total_record: 'many' } }),
    '/calls export outgoing',
    ['Under way, where the service tells no total', '@ada calls read'],
    works,
  ]),
]
