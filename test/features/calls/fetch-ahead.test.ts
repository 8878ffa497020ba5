import { beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getRows } from '../../support/shown.ts'

const app = useApp({ connected: true, config: { fetchAhead: true } })
beforeEach(() => app.sandbox.requests.clear())

const pagesAsked = () => app.sandbox.requests.entries('incoming').map(({ params }) => params['page'])

describe('with fetching ahead', () => {
  it("a page turn uses a prefetched page, a command doesn't", async () => {
    const { member } = app
    const message = await member.command('/calls')
    await expect.poll(() => pagesAsked()).toEqual(['1', '2'])
    const second = await member.click(message, 'calls.page.next')
    expect(getRows(second)).toHaveLength(20)
    await expect.poll(() => pagesAsked()).toEqual(['1', '2', '3'])
    await member.command('/calls page:2')
    expect(pagesAsked()).toEqual(['1', '2', '3', '2'])
  })

  it.each([
    ['500', { kind: 'status', status: 500 } as const, 3],
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const, 1],
  ])('it stops for a while after a %s, without telling the person', async (_name, fault, tries) => {
    const { member } = app
    const message = await member.command('/calls')
    await expect.poll(() => pagesAsked().length).toBe(2)
    app.sandbox.faults.next(fault, { times: tries, operation: 'incoming' })
    await member.click(message, 'calls.page.next')
    await expect.poll(() => pagesAsked().length).toBe(2 + tries)
    await app.logged('page not prefetched')
    expect(getRows(await member.command('/calls page:3'))).toHaveLength(20)
    await member.command('/calls page:5')
    // Sent after all prefetching has ended.
    await member.command('/calls outgoing')
    expect(pagesAsked().slice(2 + tries)).toEqual(['3', '5'])
  })
})

describe('without fetching ahead', () => {
  const plain = useApp({ connected: true })

  it('every page is read when it is shown', async () => {
    const { member, sandbox } = plain
    sandbox.requests.clear()
    const message = await member.command('/calls')
    const second = await member.click(message, 'calls.page.next')
    await member.click(second, 'calls.page.previous')
    expect(sandbox.requests.entries('incoming').map(({ params }) => params['page'])).toEqual(['1', '2', '1'])
  })
})
