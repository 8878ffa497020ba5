import type { Page } from 'playwright-core'
import type { Camera } from './camera.ts'

/** @param day `YYYY-MM-DD` */
const daysBefore = (count: number, day: string) =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)

/**
 * What the README shows: somebody looks up what was missed, asks for one agent's calls, shares them, and posts the
 * bill.
 * The times that a screen is shown for add up to about 12 s with those of typing and clicking.
 * @returns the picture for those who turn motion off
 */
export async function playScenes(page: Page, camera: Camera): Promise<Buffer> {
  const messageBox = page.getByRole('combobox', { name: /^Message #/ })
  const messages = page.getByRole('log').getByRole('article')
  const inNewest = (name: string | RegExp) => messages.last().getByRole('button', { name })
  const dialog = page.getByRole('dialog')
  const inDialog = (name: RegExp) => dialog.getByRole('button', { name })
  /** Does something that a message is the answer to. */
  const untilAnswered = async (act: () => Promise<void>) => {
    const count = await messages.count()
    await act()
    await messages.nth(count).waitFor()
  }

  // The demo proposes a command; the film shows it being typed.
  await messageBox.fill('')
  await camera.show(500)
  await untilAnswered(() => camera.type(messageBox, '/calls missed yesterday'))
  await inNewest('Filter…').waitFor()
  await camera.show(900)

  await camera.click(inNewest('Filter…'))
  const start = dialog.getByLabel(/^Start date/)
  await start.waitFor()
  await camera.show(300)
  await camera.click(start)
  await start.fill(daysBefore(2, await start.inputValue()))
  await camera.show(200)
  await camera.click(dialog.getByRole('combobox', { name: /^Agent/ }))
  const anna = dialog.getByRole('option', { name: 'Anna Smith' })
  await anna.waitFor()
  await camera.show(150)
  await camera.click(anna)
  await camera.show(250)
  const asBefore = messages.last().filter({ hasText: (await messages.last().textContent()) ?? '' })
  await camera.click(inDialog(/^Show/))
  await dialog.waitFor({ state: 'detached' })
  await asBefore.waitFor({ state: 'detached' })
  await camera.show(700)

  await camera.click(inNewest('Share…'))
  await camera.show(700)
  await untilAnswered(() => camera.click(inDialog(/^Share/)))
  await inNewest('Remove').waitFor()
  await camera.show(900)
  const still = await camera.still()

  await camera.click(page.getByRole('navigation').getByRole('button', { name: 'finance' }))
  await page.getByRole('heading', { name: '#finance' }).waitFor()
  await untilAnswered(() => camera.type(messageBox, '/billing post'))
  const post = inNewest(/^Post/)
  await post.waitFor()
  await camera.show(900)
  await untilAnswered(() => camera.click(post))
  await page.getByRole('button', { name: /^Post/ }).waitFor({ state: 'detached' })
  await camera.show(1500)
  return still
}
