import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

/** The file of the newest direct message to the admin. */
function receivedFile() {
  const direct = app.slack.directChannel(app.admin.user)
  return app.slack.messages({ channel: direct! }).at(-1)?.files?.[0]
}

it('sends the audit log as a CSV file in a direct message', async () => {
  const { admin, member, slack } = app
  await member.command('/calls timezone Asia/Tokyo')
  const log = await admin.command('/billing audit')
  expect(await admin.click(log, 'billing.audit.export')).toShow('audit log as a CSV file (2 entries)')
  // The log stays where it was.
  expect(slack.message(log.ts)).toEqual(log)

  const [head, ...lines] = receivedFile()!.content!.toString().split('\r\n')
  expect(head).toBe('\uFEFFTime,Time (UTC),Person,Person ID,Action,Detail')
  expect(lines.map((line) => line.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME'))).toEqual([
    `TIME,TIME,member,${member.user.id},set the time zone,"channel ${slack.general.id}, Asia/Tokyo"`,
    `TIME,TIME,admin,${admin.user.id},connected the phone account,`,
    '',
  ])
  expect(receivedFile()!.title).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  const [message] = slack.messages({ channel: slack.directChannel(admin.user)! })
  expect(message).toShow("Callboard's audit log for this workspace: 2 entries", 'Asia/Tokyo')
  // The export itself is an audit entry.
  expect(await admin.command('/billing audit')).toShow('exported the audit log: 2 entries')
  app.stored.delete('audit-log')
  expect(await admin.click(log, 'billing.audit.export')).toShow('Nothing recorded yet.')
})

it('sends entries of all pages, with the names of 50 people and of agents whose SIP password was viewed', async () => {
  const { admin, sandbox, slack, stored } = app
  const [agent] = sandbox.accounts.lively.agents
  const details = await admin.open(await admin.command('/agents'), 'agents.details', agent?.name)
  await admin.open(details, 'agents.reveal')
  const toRow = (key: string, who: string) => ({
    namespace: 'audit-log',
    key: `/${slack.workspace.teamId}/${key}`,
    value: `{"at":1,"who":"${who}","what":"left"}`,
    expires: null,
  })
  // The admin's own entries lie between those of one person and those of many.
  const toRows = (n: number) => [toRow(`0${n}`, 'U0LEFT'), toRow(`9${n}`, `U0LEFT${n}`)]
  stored.write(Array.from({ length: 100 }, (_, n) => toRows(n)).flat())
  const log = await admin.command('/billing audit')
  expect(await admin.click(log, 'billing.audit.export')).toShow('(202 entries)')
  const file = String(receivedFile()?.content)
  expect(file).toContain(`,admin,${admin.user.id},connected the phone account,`)
  expect(file).toContain(`,viewed a SIP password,agent ${agent?.id} (${agent?.name})\r\n`)
  const lookups = slack.callsTo('users.info').filter(({ args }) => /U0LEFT/.test(String(args['user'])))
  expect(lookups).toHaveLength(49)
})

it.each(['upload', 'files.completeUploadExternal'])('offers to try again if %s fails', async (method) => {
  const { admin, slack } = app
  const log = await admin.command('/billing audit')
  slack.failNext(method, { status: 500 })
  const apology = await admin.click(log, 'billing.audit.export')
  expect(apology).toShow("Slack didn't respond in time", 'Try again')
  expect(slack.callsTo('upload')).toHaveLength(1)
  expect(slack.callsTo('chat.postMessage')).toHaveLength(method === 'upload' ? 0 : 1)
  expect(slack.message(log.ts)).toEqual(log)
  expect(await admin.command('/billing audit')).not.toShow('exported the audit log')
  expect(await admin.click(apology, 'billing.audit.export')).toShow('as a CSV file (1 entry)')
})
