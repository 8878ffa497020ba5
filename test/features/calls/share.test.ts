import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })
const forEverybody = () => app.slack.messages().filter(({ onlyFor }) => onlyFor === undefined)
const share = async (list: Message) => app.member.press(list, 'calls.more', 'share')

describe('what everyone sees', () => {
  it.each([
    ['the connection is cut', { cut: true }],
    ['Slack answers 502', { status: 502, body: 'Bad Gateway' }],
  ])('is sent once where %s after it was shown, and the person is told to look', async (_, fault) => {
    const { member, slack } = app
    const list = await member.command('/calls')
    slack.failNext('response_url', { ...fault, isDone: true })
    const exchange = await share(list)
    const told = () => exchange.messages.find(({ onlyFor }) => onlyFor === member.user.id)
    expect(await slack.waitFor(told)).toShow('may be in the channel, or not')
    expect(forEverybody()).toHaveLength(1)
    expect(slack.message(list.ts)).toEqual(list)
  })

  it('is sent again where Slack says that it did not take it', async () => {
    const { member, slack } = app
    const list = await member.command('/calls')
    slack.rateLimitNext('response_url', 0)
    expect(await (await share(list)).waitForMessage()).toShow('Shared by')
    expect(forEverybody()).toHaveLength(1)
  })
})

it('sends what one person sees again where the answer to it is lost', async () => {
  const { member, slack } = app
  const list = await member.command('/calls')
  slack.failNext('response_url', { cut: true })
  expect(await member.click(list, 'calls.page.next')).toShow('Page 2')
})
