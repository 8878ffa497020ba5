import { describe, expect, it } from 'vitest'
import { readableText } from '../../../dev/slack/readable-text.ts'
import { useApp } from '../../support/app.ts'
import { actionsOf, rowsOf } from '../../support/shown.ts'

const app = useApp({ connected: true })
const toChannels = () =>
  app.slack.messages().filter(({ onlyFor, channel }) => !onlyFor && !channel.startsWith('D'))

/** The preview of a report, chosen in the modal. */
async function preview(command = '/calls report', channel = app.slack.general.id) {
  const { member, slack } = app
  const report = await member.command(command)
  const modal = await member.open(report, 'report.more', 'post')
  expect(modal).toShow('You see a preview first')
  const before = slack.messages().length
  const submitted = await member.submit(modal, { channel })
  expect(submitted.errors).toEqual({})
  const message = await slack.waitFor(() => slack.messages()[before])
  return { report, message }
}

describe('a report for a channel', () => {
  it('is previewed for one person, and posted as it was previewed, with its chart, once', async () => {
    const { member, slack } = app
    const { report, message } = await preview()
    expect(message.onlyFor).toBe(member.user.id)
    expect(message).toShow('*Preview, not posted yet.* Everyone in', 'Call report', `Posted by`)
    expect(rowsOf(message)).toEqual(rowsOf(report))
    expect(slack.message(report.ts)).toShow('Call report')
    expect(toChannels()).toEqual([])
    const posted = await member.click(message, 'report.post.send')
    expect(posted).toShow('Posted in')
    const [post, ...others] = toChannels()
    expect(others).toEqual([])
    expect(rowsOf(post!)).toEqual(rowsOf(report))
    expect(post?.blocks.map(({ type }) => type)).toContain('data_visualization')
    expect(actionsOf(post!)).toEqual([])
    expect(await app.admin.command('/billing audit')).toShow('posted the call report to')
  })

  it('is the same reading although calls have come since, and after a restart', async () => {
    const { member, sandbox } = app
    const { report, message } = await preview('/calls report by:hour')
    const { lively } = sandbox.accounts
    app.clock.ahead += 60_000
    const like = lively.calls('incoming')[0]!
    lively.addCalls({ ...like, id: 'new', at: new Date(Date.now() + 30_000) })
    await app.restart()
    expect(await member.click(message, 'report.post.send')).toShow('Posted in')
    expect(rowsOf(toChannels()[0]!)).toEqual(rowsOf(report))
  })

  it('is previewed again where its figures have changed', async () => {
    const { member, sandbox } = app
    const { message } = await preview('/calls report yesterday by:hour')
    const { lively } = sandbox.accounts
    const like = lively.calls('incoming')[0]!
    lively.addCalls({ ...like, id: 'late', at: new Date(Date.now() - 86_400_000) })
    await app.restart()
    const again = await member.click(message, 'report.post.send')
    expect(again).toShow('The figures have changed. Check the preview again before you post.')
    expect(toChannels()).toEqual([])
    expect(await member.click(again, 'report.post.send')).toShow('Posted in')
    expect(await member.click(again, 'report.post.cancel')).toShow('Discarded. Nothing was posted.')
  })

  it('names its agent, however long the name is: a menu has no room for it', async () => {
    const [agent] = app.sandbox.accounts.lively.agents
    const name = `${agent!.name}, ${'head of the second level of support'.repeat(2)}`.slice(0, 75)
    Object.assign(agent!, { id: `${'0'.repeat(20)}${agent!.id}`, name })
    const { message } = await preview('/calls report by:weekday outgoing agent:head of the second')
    expect(message).toShow(`${name}, call report: `)
    expect(await app.member.click(message, 'report.post.send')).toShow('Posted in')
    expect(toChannels()[0]).toShow(`${name}, call report: `)
  })

  it('is discarded, and another channel chosen', async () => {
    const { member, slack } = app
    const { message } = await preview()
    const discarded = await member.click(message, 'report.post.cancel')
    expect(discarded).toShow('Discarded. Nothing was posted.')
    const modal = await member.open(discarded, 'report.post.channel')
    const shared = slack.addChannel({ name: 'with-partner', isExtShared: true })
    const refused = await member.submit(modal, { channel: shared.id }, { force: true })
    expect(refused.errors).toEqual({ channel: expect.stringContaining('shared with another company') })
    expect(toChannels()).toEqual([])
  })

  it('leads back to the channel that was chosen, and is previewed for another one in its place', async () => {
    const { member, slack } = app
    const { message } = await preview()
    const modal = await member.open(message, 'report.post.back')
    expect(JSON.stringify(modal.blocks)).toContain(`"initial_conversation":"${slack.general.id}"`)
    const support = slack.addChannel({ name: 'support' })
    await member.submit(modal, { channel: support.id })
    const other = await member.sees(message, 'Post to #support')
    expect(rowsOf(other)).toEqual(rowsOf(message))
    expect(toChannels()).toEqual([])
  })

  it('can be previewed again where the phone service was away', async () => {
    const { member, sandbox } = app
    const { message } = await preview()
    await app.restart()
    sandbox.faults.always({ kind: 'status', status: 503 })
    const away = await member.click(message, 'report.post.send')
    expect(away).toShow("The phone service isn't responding.")
    expect(toChannels()).toEqual([])
    sandbox.faults.clear()
    // The service is left alone for a while.
    const again = () => member.click(away, 'report.post.again')
    await expect.poll(async () => readableText(await again())).toContain('Preview, not posted yet')
  })

  it('says so where Slack takes no posts, and can be previewed again', async () => {
    const { member, slack } = app
    const { message } = await preview()
    slack.rateLimitNext('chat.postMessage', 30)
    const refused = await member.click(message, 'report.post.send')
    expect(refused).toShow("Nothing was posted. Slack isn't accepting messages right now.")
    expect(await member.click(refused, 'report.post.again')).toShow('Preview, not posted yet')
  })
})
