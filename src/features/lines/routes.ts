import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { commandAgain, modalWithMetadata, readMetadata, type ViewOrigin } from '../../slack/blocks/action.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { type Errors, Form, text } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { LineNames, type NamedLine } from '../../telephony/lines.ts'

/** Fits a column of a table. */
const MAX_LINE_NAME_LENGTH = 20
/** Fits the modal and its metadata. */
const MAX_NUMBERS = 60
/** Longer text in the metadata isn't a phone number. */
const MAX_STORED_LENGTH = 24

const MODAL_TITLE = 'Name your lines'

const inputId = (index: number) => `line-${index}`

const LINES_VIEW_ID = 'calls.lines'
const linesMetadataSchema = z.object({ numbers: z.array(z.string()) })

const createLinesForm = (numbers: readonly string[], names = LineNames.none) => {
  const fieldFor = (number: string) =>
    text(names.write(number), {
      maxLength: MAX_LINE_NAME_LENGTH,
      hint: `Up to ${MAX_LINE_NAME_LENGTH} characters.`,
      initial: names.getName(number),
      example: 'Sales Berlin',
      isOptional: true,
    })
  const fields = numbers.map((number, index) => [inputId(index), fieldFor(number)] as const)
  return new Form<Record<string, string>>(Object.fromEntries(fields))
}

function linesModal(origin: ViewOrigin, numbers: readonly string[], names: LineNames): types.ModalView {
  if (numbers.length === 0) {
    const text = 'No numbers yet. They appear here once they are billed or called.'
    return noticeModal(text, { title: MODAL_TITLE })
  }
  return modalWithMetadata(linesMetadataSchema, {
    id: LINES_VIEW_ID,
    origin,
    metadata: { numbers: numbers.map((number) => number.slice(0, MAX_STORED_LENGTH)) },
    title: MODAL_TITLE,
    submit: 'Save names',
    blocks: [
      section('Lists and reports show the name in place of the number, and `line:NAME` finds its calls.'),
      ...createLinesForm(numbers, names).inputs(),
      context('These are the numbers you pay for, and those called in the last 30 days.'),
    ],
  })
}

function linesSavedModal(count: number): types.ModalView {
  const named =
    count === 0 ? 'No line has a name' : count === 1 ? '1 line has a name' : `${count} lines have names`
  return noticeModal(`Saved. ${named} now.`, { title: MODAL_TITLE })
}

/** Reads and checks the submitted names. @throws {ForgedValueError} */
function readLines(
  view: ViewPayload,
): { readonly lines: readonly NamedLine[] } | { readonly errors: Errors } {
  const { numbers } = readMetadata(view, linesMetadataSchema)
  const form = createLinesForm(numbers).read(view)
  if (form.errors) return { errors: form.errors }
  const errors: Record<string, string> = {}
  const usedNames = new Set<string>()
  const lines = numbers.flatMap((number, index) => {
    const name = (form.values[inputId(index)] ?? '').replaceAll(/\s+/g, ' ').trim()
    if (name === '') return []
    if (!/\p{L}/u.test(name) || /["“”„‟«»]/.test(name))
      errors[inputId(index)] = 'Use at least one letter, and no quotes.'
    else if (usedNames.has(name.toLowerCase()))
      errors[inputId(index)] = 'Another line has that name. Choose a different one.'
    usedNames.add(name.toLowerCase())
    return [{ number, name }]
  })
  return Object.keys(errors).length > 0 ? { errors } : { lines }
}

/** Usage: `/calls lines`: opens a form that names the account's numbers. */
export function lines({ workspaces, lineList, audit, homeTab }: Services): FeatureRoutes {
  async function open(interaction: Interaction) {
    const { actor, tenant, channel } = interaction
    interaction.fallback = { retry: commandAgain('/calls lines'), request: 'your lines' }
    const [account, names] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
    const numbers = names.numbersWith(await lineList.numbers(account)).slice(0, MAX_NUMBERS)
    return linesModal({ team: actor.team, channel }, numbers, names)
  }

  return {
    tools: [async () => (await import('./tools.ts')).linesTools(workspaces, lineList)],
    commands: [{ command: 'calls', word: 'lines', needs: 'admin', openModal: open }],
    submissions: [
      {
        view: LINES_VIEW_ID,
        needs: 'admin',
        async handle({ actor, tenant }, view) {
          const read = readLines(view)
          if ('errors' in read) return read
          await workspaces.nameLines(tenant, read.lines)
          await audit.record(actor, 'name lines', { detail: `${read.lines.length}` })
          homeTab.emit('outdated', actor)
          return { view: linesSavedModal(read.lines.length) }
        },
      },
    ],
  }
}
