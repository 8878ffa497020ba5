import type { Page } from 'playwright-core'
import type { Zone } from '../../src/time/types.ts'
import { parseZone } from '../../src/time/zone-names.ts'
import type { Demo } from '../demo/demo.ts'
import { messageBoxOf } from './demo-page.ts'

// What is done in a demo before a picture is taken of what comes of it.

/** As the form asks for them: by number. */
const lineNames = ['Washington', 'Paris', 'London', 'Berlin']

/** The time zone of the demo's first channel. */
const berlin = zoneNamed('Europe/Berlin')

function zoneNamed(name: string): Zone {
  const zone = parseZone(name)
  if (!zone) throw new RangeError(`this runtime has no time zone ${name}`)
  return zone
}

/** To 9:00 on the next weekday. */
export const moveToMorning = ({ clock }: Demo): void => clock.moveToMorning(berlin)

/** That day and the next one are like most, whenever a picture is taken. */
export function moveToWednesday(demo: Demo): void {
  do moveToMorning(demo)
  while (new Date(demo.clock.now()).getUTCDay() !== 3)
}

/** Types a command that opens a modal, presses the buttons that lead through it, and closes what says that it is saved. */
export async function throughModal(
  page: Page,
  command: string,
  buttons: readonly string[],
  fillIn: (dialog: ReturnType<Page['getByRole']>) => Promise<void> = async () => {},
): Promise<void> {
  const dialog = page.getByRole('dialog')
  await messageBoxOf(page).fill(command)
  await messageBoxOf(page).press('Enter')
  await dialog.waitFor()
  await fillIn(dialog)
  for (const name of buttons) await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByText('Saved.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
}

export const nameLines = (page: Page): Promise<void> =>
  throughModal(page, '/calls lines', ['Save names'], async (dialog) => {
    await dialog.getByRole('textbox').first().waitFor()
    for (const [index, name] of lineNames.entries()) await dialog.getByRole('textbox').nth(index).fill(name)
  })
