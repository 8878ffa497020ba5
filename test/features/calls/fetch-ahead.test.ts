import { describe, expect, it } from 'vitest'
import { type House, rowsOf, useHouse } from '../../support/app.ts'

const pagesAsked = ({ sandbox }: House) =>
  sandbox.requests.entries('incoming').map(({ params }) => params['page'])

describe('with fetching ahead', () => {
  const house = useHouse({ fetchAhead: true })

  it('a page turn finds its page ready, and Refresh goes past what is kept', async () => {
    const here = house()
    await here.connect()
    here.sandbox.requests.clear()
    const message = await here.ask('')
    await expect.poll(() => pagesAsked(here)).toEqual(['1', '2'])
    const second = await here.click(message, 'calls.page.next')
    expect(rowsOf(second)).toHaveLength(20)
    await expect.poll(() => pagesAsked(here)).toEqual(['1', '2', '3'])
    const refreshed = await here.slack.click(here.url, {
      message: second,
      action_id: 'calls.more',
      choose: 'refresh',
    })
    await refreshed.waitForMessage()
    expect(pagesAsked(here)).toEqual(['1', '2', '3', '2'])
  })

  it.each([
    ['500', { kind: 'status', status: 500 } as const, 3],
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const, 1],
  ])('it rests for a while after a %s, which the person never hears of', async (_name, fault, tries) => {
    const here = house()
    await here.connect()
    here.sandbox.requests.clear()
    const message = await here.ask('')
    await expect.poll(() => pagesAsked(here).length).toBe(2)
    here.sandbox.faults.next(fault, { times: tries, operation: 'incoming' })
    await here.click(message, 'calls.page.next')
    await expect.poll(() => pagesAsked(here).length).toBe(2 + tries)
    await expect.poll(() => here.logs.join('')).toContain('a page was not fetched ahead')
    const third = await here.ask('page:3')
    expect(rowsOf(third)).toHaveLength(20)
    await here.ask('page:5')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(pagesAsked(here).slice(2 + tries)).toEqual(['3', '5'])
  })
})

describe('without it', () => {
  const house = useHouse({ fetchAhead: false })

  it('only what is shown is asked for', async () => {
    const here = house()
    await here.connect()
    here.sandbox.requests.clear()
    await here.click(await here.ask(''), 'calls.page.next')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(pagesAsked(here)).toEqual(['1', '2'])
  })
})
