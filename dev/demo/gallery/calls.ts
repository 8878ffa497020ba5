import { lineNames } from '../opening.ts'
import { chapter } from './stage.ts'

const recordingsBaseUrl = 'https://recordings.example.com/'
const number = '+442079460042'
const week = '2026-10-30..2026-11-05'

export const callChapters = [
  chapter('Calls', { config: { recordingsBaseUrl } }, async (stage) => {
    const { ada, ben, gus, slack } = stage
    await stage.nameLines(...lineNames)
    const list = await stage.take('First page', ada.command('/calls'))
    const second = await ada.command('/calls page:2')
    slack.failNext('response_url', { status: 400, body: { ok: false, error: 'invalid_blocks' } })
    await stage.take('As lines of text', ada.click(second, 'calls.page.next'))
    await stage.take('No matches', ada.command('/calls missed agent:hollis 2026-11-05'))
    await ada.press(list, 'calls.share')
    await stage.take('Shared', stage.posted(stage.channel('support'), 'incoming calls'))
    await stage.take('Filter', ada.open(list, 'calls.filter'))
    const filtered = await ada.command('/calls missed agent:hollis 2026-11-01..2026-11-05')
    await stage.take('Filter, filled in', ada.open(filtered, 'calls.filter'))
    await stage.take('Help for administrators', ada.command('/calls help'))
    const help = await stage.take('Help for members', ben.command('/calls help'))
    await stage.take('All commands', ben.click(help, 'command.all'))
    await stage.take('A misspelled word', ada.command('/calls mised yesterday'))
    await stage.take('An ambiguous agent', ada.command('/calls agent:smith'))
    await stage.take('Not reached', ada.command('/calls unreached last 30 days'))
    await stage.take('Not reached today', ada.command('/calls unreached'))
    await stage.take('No number dialed', ada.command('/calls unreached 2018-12-24'))
    await stage.take('For guests', gus.command('/calls'))
  }),
  chapter('Your own calls', {}, async (stage) => {
    const question = await stage.take('Which agent are you?', stage.ben.command('/calls mine'))
    await stage.take('Another agent', stage.ben.open(question, 'calls.me-other'))
    await stage.take('Answered', stage.ben.click(question, 'calls.me.0'))
  }),
  chapter('Calls by number', {}, async (stage) => {
    const { ada } = stage
    stage.addCalls(number, 64)
    stage.addCalls('+442079460099', 7)
    await stage.take('Both directions', ada.command('/calls number:9460099'))
    await stage.take('No calls', ada.command('/calls number:998877665'))
    const find = (text: string) => ada.shortcut('calls.find-number', text)
    await stage.take('From a message', find(`Did anybody call ${number} back?`))
    await stage.take('From a message: several numbers', find(`Call ${number} or +49 30 23125042.`))
    await stage.take('From a message: no number', find('Hello!'))
  }),
  chapter('Names of lines', {}, async (stage) => {
    const form = await stage.take('No names yet', stage.ada.open('/calls lines'))
    const values = { 'line-0': 'Sales', 'line-1': 'Sales', 'line-2': '2' }
    await stage.take('With mistakes', stage.ada.submit(form, values))
    await stage.take('Saved', stage.nameLines(...lineNames))
    await stage.take('Names', stage.ada.open('/calls lines'))
  }),
  chapter('Call reports', { calls: 1200 }, async (stage) => {
    const { ada, slack } = stage
    await stage.nameLines(...lineNames)
    const report = await stage.take('By line, with a chart', ada.command(`/calls report ${week}`))
    await stage.take('A month by day', ada.command('/calls report last month by:day'))
    await stage.take('More than 31 days by day', ada.command('/calls report last 60 days outgoing by:day'))
    await stage.take('By hour', ada.command(`/calls report ${week} by:hour`))
    const refused = { status: 400, body: { ok: false, error: 'invalid_blocks' } }
    const missed = await ada.command(`/calls report ${week} missed`)
    slack.failNext('response_url', refused)
    await stage.take('With a plain table', ada.click(missed, 'report.by', 'weekday'))
    slack.failNext('response_url', refused)
    slack.failNext('response_url', refused)
    await stage.take('As lines of text', ada.click(missed, 'report.by', 'line'))
    await stage.take('By person, without anybody', ada.command(`/calls report ${week} by:person`))
    await stage.take('No calls', ada.command('/calls report 2018-11-06 by:hour'))
    await stage.take('Filter', ada.open(report, 'report.filter'))
    const filtered = await ada.command(`/calls report ${week} line:support agent:1001 by:day`)
    await stage.take('Filter, filled in', ada.open(filtered, 'report.filter'))
    await ada.press(report, 'report.share')
    await stage.take('Shared', stage.posted(stage.channel('support'), ' · As of '))
  }),
  chapter('Call reports', { calls: 60_000 }, (stage) =>
    stage.take('More than 20,000 calls', stage.ada.command('/calls report 2026-08-06..2026-11-05')),
  ),
  chapter('Export of calls', { calls: 2000 }, async (stage) => {
    const { ada, ben } = stage
    await stage.take('Nothing to export', ada.command('/calls export missed 2018-12-01..2018-12-24'))
    await stage.take('An ambiguous agent', ada.command('/calls export agent:smith'))
    stage.slack.failNext('chat.postMessage', { status: 500 })
    await stage.take('Slack is away', ada.command('/calls export'))
    await ada.type('/calls export missed yesterday')
    await stage.take('Sent', stage.posted(ada, 'Here are'))
    stage.slack.failNext('files.getUploadURLExternal', { body: { ok: false, error: 'missing_scope' } })
    await ada.type('/calls export missed yesterday')
    await stage.take('Refused by Slack', stage.posted(ada, 'Export failed'))
    stage.slowly(400)
    await ada.type('/calls export')
    const running = await stage.take('Under way', stage.posted(ada, ' calls read'))
    await ada.type('/calls export outgoing')
    const second = await stage.posted(ada, 'outgoing')
    await ben.type('/calls export missed')
    const queued = await stage.take('In line', stage.posted(ben, '0 of '))
    await ada.press(running, 'calls.export-cancel')
    await stage.take('Cancelled', stage.posted(ada, 'Export cancelled'))
    await ada.press(second, 'calls.export-cancel')
    await ben.press(queued, 'calls.export-cancel')
    await stage.posted(ben, 'Export cancelled')
  }),
  chapter('Slackbot', {}, async (stage) => {
    const { slack, ada } = stage
    await stage.nameLines(...lineNames)
    const ask = async (name: string, tool: string, args = {}) => {
      const { answer } = await slack.slackbot.call(slack.appUrl, { user: ada.user, tool, args })
      const text = { type: 'plain_text', text: answer.text.slice(0, 3000) }
      const blocks = answer.blocks.length > 0 ? [...answer.blocks] : [{ type: 'section', text }]
      stage.samples.push({ name, kind: 'message', body: { text: name, blocks } })
    }
    await ask('Calls', 'list_calls', { status: 'missed', range: week })
    await ask('A report', 'report_calls', { range: week, by: 'day' })
    await ask('The bill', 'show_billing')
  }),
]
