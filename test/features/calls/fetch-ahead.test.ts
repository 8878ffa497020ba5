import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../support/app.ts'
import { getRows } from '../../support/shown.ts'

const pagesAsked = ({ sandbox }: TestApp) =>
  sandbox.requests.entries('incoming').map(({ params }) => params['page'])

/** Sends a request after all prefetching has ended. */
const laterRequest = ({ member }: TestApp) => member.command('/calls outgoing')

describe('with fetching ahead', () => {
  const app = useApp({ connected: true, config: { fetchAhead: true } })
  beforeEach(() => app.sandbox.requests.clear())

  it("a page turn uses a prefetched page, a command doesn't", async () => {
    const { member } = app
    const message = await member.command('/calls')
    await expect.poll(() => pagesAsked(app)).toEqual(['1', '2'])
    const second = await member.click(message, 'calls.page.next')
    expect(getRows(second)).toHaveLength(20)
    await expect.poll(() => pagesAsked(app)).toEqual(['1', '2', '3'])
    await member.command('/calls page:2')
    expect(pagesAsked(app)).toEqual(['1', '2', '3', '2'])
  })

  it.each([
    ['500', { kind: 'status', status: 500 } as const, 3],
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const, 1],
  ])('it stops for a while after a %s, without telling the person', async (_name, fault, tries) => {
    const { member } = app
    const message = await member.command('/calls')
    await expect.poll(() => pagesAsked(app).length).toBe(2)
    app.sandbox.faults.next(fault, { times: tries, operation: 'incoming' })
    await member.click(message, 'calls.page.next')
    await expect.poll(() => pagesAsked(app).length).toBe(2 + tries)
    await app.logged('page not prefetched')
    expect(getRows(await member.command('/calls page:3'))).toHaveLength(20)
    await member.command('/calls page:5')
    await laterRequest(app)
    expect(pagesAsked(app).slice(2 + tries)).toEqual(['3', '5'])
  })
})

describe('without it', () => {
  const app = useApp({ connected: true, config: { fetchAhead: false } })
  beforeEach(() => app.sandbox.requests.clear())

  it('requests only the shown page', async () => {
    const { member } = app
    await member.click(await member.command('/calls'), 'calls.page.next')
    await laterRequest(app)
    expect(pagesAsked(app)).toEqual(['1', '2'])
  })
})
