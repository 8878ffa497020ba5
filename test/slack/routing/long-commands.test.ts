import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

describe('command length limits', () => {
  it.each([
    ['/calls', 'a '.repeat(6000), '12,000 characters', 'up to 1,000'],
    ['/callboard', `calls ${'x'.repeat(995)}`, '1,001 characters', 'up to 1,000'],
    ['/calls', `missed ${'a '.repeat(50)}`, '51 words', 'up to 50'],
    ['/agents', 'anna '.repeat(51), '51 words', 'up to 50'],
  ])('%s: says what is too long without a service request', async (command, text, found, limit) => {
    app.sandbox.requests.clear()
    expect(await app.member.command(`${command} ${text}`)).toShow('too long', found, limit)
    expect(app.sandbox.requests.count()).toBe(0)
  })

  it('accepts 50 words and 1,000 characters', async () => {
    const { member } = app
    expect(await member.command(`/calls ${'a '.repeat(50)}`)).toShow('I didn\'t understand "a a a')
    const text = `agent:"${'&amp;'.repeat(198)}ab"`
    expect(text).toHaveLength(1000)
    expect(await member.command(`/calls ${text}`)).toShow('No agent matches')
  })
})
