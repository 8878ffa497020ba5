import { fileRefusals } from '../../../src/slack/api/files.ts'
import type { Chapter, Recorder } from './recorder.ts'
import { dayMs, minuteMs, refusal } from './stage.ts'

const week = '2026-10-30..2026-11-05'
const rejected = { kind: 'status', status: 401 } as const

export const reports: Chapter = {
  feature: 'Call reports',
  calls: 1200,
  async play(stage) {
    const { slack, sandbox, finance } = stage
    const unnamed = await stage.say('', '/calls report')
    await stage.open('Filter, no line has a name', [unnamed, 'Filter…'])
    await stage.nameLines('Sales New York', 'Sales London', 'Sales Berlin', 'Support')
    await stage.say('By line, with its chart', `/calls report ${week}`)
    slack.failNext('response_url', { status: 400, ...refusal('msg_blocks_too_long') })
    await stage.say('By line, with its chart, as lines of text', `/calls report ${week}`)
    await stage.sayAll({
      'By hour': `/calls report ${week} by:hour`,
      'By weekday': `/calls report ${week} by:weekday`,
      'By day': `/calls report ${week} by:day`,
      'By agent': `/calls report ${week} by:agent`,
      'One day, per hour': '/calls report today by:hour',
      'Outgoing calls': `/calls report ${week} outgoing by:weekday`,
      'One agent': `/calls report ${week} agent:1001 by:day`,
      'One line': `/calls report ${week} line:berlin incoming by:day`,
      'Over a clock change': '/calls report 2026-10-22..2026-10-28 by:day',
      'No calls': '/calls report 2026-11-06 by:hour',
      'Words that are not recognised': '/calls report yesterdey by:weekdy',
      'Words that do not go together': '/calls report outgoing by:line',
      'A name that several agents have': '/calls report agent:smith',
      'A name that no agent has': '/calls report agent:nobody',
      'A name that no line has': '/calls report line:warehouse',
    })
    sandbox.faults.next({
      kind: 'set',
      record: { Duration: 'n/a', Status: 'VOICEMAIL', Cost: '', 'Date Time': '0000-00-00' },
    })
    await stage.say('Values that are not understood', '/calls report 2026-10-01..2026-10-07')
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '55756' } })
    await stage.say('More than 20,000 calls', '/calls report 2026-08-06..2026-11-05')
    sandbox.faults.clear()

    const report = await stage.say('', `/calls report ${week}`)
    const form = await stage.open('Filter', [report, 'Filter…'])
    const narrow = await stage.say('', `/calls report ${week} line:support agent:1001 by:day`)
    await stage.open('Filter, filled in', [narrow, 'Filter…'])
    const place = await stage.open('Where to post', [report, 'Post in a channel…'])
    stage.pass(31 * minuteMs)
    await stage.submit('Filter, submitted too late', form)
    await stage.submit('Where to post, opened too long ago', place)

    const shown = await postPreview('Preview', stage, await stage.say('', `/calls report ${week}`))
    await stage.press('', [shown, 'report.post.send'])
    await stage.posted('The post in a channel', finance)
    await stage.press('Posted before', [shown, 'report.post.send'])
    const discarded = await postPreview('', stage, await stage.say('', `/calls report ${week}`))
    await stage.press('Discarded', [discarded, 'Discard'])
    const later = await postPreview('', stage, await stage.say('', `/calls report ${week}`))
    slack.rateLimitNext('chat.postMessage', 30)
    await stage.press('Not taken just now', [later, 'report.post.send'])
    const old = await postPreview('', stage, await stage.say('', '/calls report yesterday by:hour'))
    const [like] = stage.lively.calls('incoming')
    if (like) stage.lively.addCalls({ ...like, id: 'late', at: new Date(like.at.getTime() - dayMs) })
    await stage.restart()
    await stage.press('Preview once more', [old, 'report.post.send'])
  },
}

/** A report's preview for #finance. */
async function postPreview(name: string, stage: Recorder, report: Parameters<Recorder['press']>[1][0]) {
  const { slack, finance, ada } = stage
  const form = await ada.open(report, 'report.more', 'post')
  const before = slack.messages().length
  await stage.send(form, { channel: finance.id })
  const message = await stage.until(() => slack.messages()[before], name)
  stage.take(name, message)
  return message
}

export const reportsWithoutCharts: Chapter = {
  feature: 'Call reports',
  async play(stage) {
    stage.slack.refuseCharts = true
    await stage.say('Where Slack refuses charts', '/calls report')
  },
}

/** With alerts of the week. */
export const reportsWithAlerts: Chapter = {
  feature: 'Call reports',
  async play(stage) {
    const { ada, support, lively } = stage
    await stage.send(await ada.open('/calls alert'))
    await stage.looked()
    lively.missCalls(1)
    await stage.watch()
    const alert = await stage.posted('', support, 'Missed call')
    await stage.say('With an alert that nobody took', '/calls report today')
    await ada.press(alert, 'alert.take')
    stage.pass(11 * minuteMs)
    lively.missCalls(1)
    await stage.watch()
    await stage.say('With what became of alerts', '/calls report today')
  },
}

/** Where the service takes its time, or goes away. */
export const slowReports: Chapter = {
  feature: 'Call reports',
  readForMs: 4000,
  async play(stage) {
    stage.addCalls('+390699990000', 700)
    stage.slowly(120)
    await stage.saySlowly(['Reading, once'], '/calls report last 21 days')
    stage.slowly(600)
    await stage.say('More than anybody waits for', '/calls report last 20 days')
    await stage.say('By agent, and time ran out', '/calls report by:agent')
    await stage.halfWay(() => stage.say('The service fails half way', '/calls report last 22 days'))
  },
}

const missed = '/calls export missed 2026-10-01..2026-11-05'

/** What follows a command, in the direct message. */
const direct = (stage: Recorder, name: string, text: string) => stage.posted(name, stage.ada, text)

export const exports: Chapter = {
  feature: 'Export of calls',
  async play(stage) {
    const { slack, ada, lively, sandbox } = stage
    await stage.say('Started', missed)
    await direct(stage, 'Sent', 'Here are')
    slack.failNext('files.getUploadURLExternal', { delayMs: 3000 })
    await ada.type('/calls export outgoing')
    const sending = await direct(stage, 'All of it is read', 'sending the file')
    await direct(stage, '', 'Here are')
    await ada.type('/calls export missed yesterday')
    await direct(stage, 'Sent, of one call', 'Here is 1')
    await stage.sayAll({
      'Nothing to export': '/calls export missed 2026-12-01..2026-12-24',
      'A name that several agents have': '/calls export agent:smith',
      'Started, for a number': '/calls export number:2079460042',
    })
    await stage.sayAll({ '': '/calls export number:99887766 2026-10-01..2026-11-05' })
    await direct(stage, 'No call has the number', 'There is nothing to export')
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '1254400' } })
    await stage.sayAll({
      'Too many calls': missed,
      'Too many calls to look through for a number': '/calls export number:442079460042',
    })
    sandbox.faults.clear()
    slack.failNext('files.completeUploadExternal', { status: 500, isDone: true })
    await ada.type(missed)
    await direct(stage, 'The file may have arrived', 'or not')
    for (const error of fileRefusals) {
      slack.failNext('files.getUploadURLExternal', refusal(error))
      await ada.type(missed)
      await direct(stage, `Slack takes no file: ${error}`, 'Export failed')
    }
    stage.slowly(150)
    await ada.type('/calls export')
    await direct(stage, '', 'Exporting')
    sandbox.faults.clear()
    sandbox.faults.always(rejected)
    await direct(stage, 'The key and secret are no longer accepted', 'Export failed')
    sandbox.faults.clear()
    await stage.connect(lively)
    stage.slowly(150)
    await ada.type('/calls export')
    await stage.failsAfter(5, { kind: 'status', status: 429, headers: { 'retry-after': '120' } })
    await direct(stage, 'The service stays away', 'Export failed')
    sandbox.faults.clear()
    stage.pass(5 * minuteMs)
    stage.slowly(150)
    const { ben } = stage
    await ben.type('/calls export')
    await stage.posted('', ben, 'Exporting')
    await stage.send(await ada.open('/billing settings'), { calls: 'admins' })
    sandbox.faults.clear()
    await stage.posted('The right was taken away', ben, 'Export failed')
    await stage.press('A button of one that is over', [sending, 'calls.export-cancel'])
  },
}

/** What is shown of exports while they run. */
export const runningExports: Chapter = {
  feature: 'Export of calls',
  calls: 2000,
  async play(stage) {
    const { slack, ada, ben, sandbox } = stage
    stage.slowly(400)
    await ada.type('/calls export')
    await direct(stage, 'Not begun yet', 'Exporting')
    await stage.say('Under way already', '/calls export')
    const running = await direct(stage, 'Under way', '█')
    await ada.type('/calls export outgoing number:442079460042')
    await direct(stage, 'Under way, for a number', 'numbers with')
    await stage.say('Started, behind others', '/calls export missed', ben)
    await stage.posted('In line', ben, 'in line')
    for (let n = 1; n < 10; n += 1) await ben.command(`/calls export missed from:2026-09-0${n}`)
    await stage.say('Too many exports', '/calls export answered', ben)
    await ada.press(running, 'calls.export-cancel')
    await direct(stage, 'Cancelled', 'Export cancelled')
    for (const message of slack.messages({ channel: slack.directChannel(ben.user) ?? stage.support }))
      if (message.onlyFor === undefined && message.blocks.length > 0)
        await ben.press(message, 'calls.export-cancel').catch(() => {})
    sandbox.faults.clear()
  },
}

export const brokenExports: Chapter = {
  feature: 'Export of calls',
  calls: 2000,
  async play(stage) {
    const { slack, ada, sandbox } = stage
    stage.slowly(400)
    await ada.type('/calls export')
    await direct(stage, '', '█')
    await stage.restart()
    stage.pass(minuteMs)
    const { args } =
      slack.callsTo('chat.update').findLast(({ args }) => String(args['text']).includes('restarted')) ?? {}
    stage.takeCall('Callboard is restarted', args)
    await direct(stage, 'Begun again', 'has begun again')
    sandbox.faults.clear()
    await direct(stage, '', 'Here are')
    stage.slowly(400)
    sandbox.faults.always({ kind: 'set', envelope: { total_record: 'many' } })
    await ada.type('/calls export outgoing')
    await direct(stage, 'Under way, where the service tells no total', 'calls read')
    sandbox.faults.clear()
  },
}
