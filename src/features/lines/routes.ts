import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { type Column, context, fillTable, header, section, tableBlock } from '../../slack/blocks/blocks.ts'
import { commandAgain } from '../../slack/blocks/command-button.ts'
import { modalWithMetadata } from '../../slack/blocks/modal.ts'
import { ToolAction } from '../../slack/blocks/tool-action.ts'
import { readMetadata, type ViewOrigin } from '../../slack/blocks/view-metadata.ts'
import { offerOnFailure } from '../../slack/deliver/failures.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { text } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  type CommandRequest,
  type FeatureRoutes,
  type Interaction,
  type Tool,
  tool,
} from '../../slack/routing/routes.ts'
import { LineNames } from '../../telephony/lines.ts'

/** Fits a column of a table. */
const MAX_LINE_NAME_LENGTH = 20
/** Fits the modal and its metadata, and a table. */
const MAX_NUMBERS = 60
/** Longer text isn't a phone number. */
const MAX_NUMBER_LENGTH = 24

const MODAL_TITLE = 'Name your lines'

const inputId = (index: number) => `line-${index}`

const LINES_VIEW_ID = 'calls.lines'
const linesMetadataSchema = z.object({ numbers: z.array(z.string()) })

const createLinesForm = (numbers: readonly string[], names = LineNames.none) => {
  const fields = numbers.map((number, index) => {
    const field = text(names.format(number), {
      maxLength: MAX_LINE_NAME_LENGTH,
      hint: `Up to ${MAX_LINE_NAME_LENGTH} characters.`,
      initial: names.getName(number),
      example: 'Sales Berlin',
      isOptional: true,
    })
    return [inputId(index), field] as const
  })
  return new Form<Record<string, string>>(Object.fromEntries(fields))
}

function linesModal(origin: ViewOrigin, numbers: readonly string[], names: LineNames): types.ModalView {
  if (numbers.length === 0) {
    const text = 'No numbers yet. They appear here once they are billed or called.'
    return messageModal(text, { title: MODAL_TITLE })
  }
  return modalWithMetadata(linesMetadataSchema, {
    id: LINES_VIEW_ID,
    origin,
    metadata: { numbers: numbers.map((number) => number.slice(0, MAX_NUMBER_LENGTH)) },
    title: MODAL_TITLE,
    submit: 'Save names',
    blocks: [
      section('Lists and reports show the name instead of the number, and `line:NAME` finds its calls.'),
      ...createLinesForm(numbers, names).inputs(),
      context('These are the numbers you pay for, and those called in the last 30 days.'),
    ],
  })
}

function linesSavedModal(count: number): types.ModalView {
  const named = count > 1 ? `${count} lines have names` : `${count === 1 ? 1 : 'No'} line has a name`
  return messageModal(`Saved. ${named} now.`, { title: MODAL_TITLE })
}

/** @throws {ForgedValueError} */
function readLines(view: ViewPayload) {
  const { numbers } = readMetadata(view, linesMetadataSchema)
  const { values = {} } = createLinesForm(numbers).read(view)
  const errors: Record<string, string> = {}
  const usedNames = new Set<string>()
  const lines = numbers.flatMap((number, index) => {
    const name = (values[inputId(index)] ?? '').replaceAll(/\s+/g, ' ')
    if (name === '') return []
    if (!/\p{L}/u.test(name) || /["“”„‟«»]/.test(name))
      errors[inputId(index)] = 'Use at least one letter, and no quotes.'
    else if (usedNames.has(name.toLowerCase()))
      errors[inputId(index)] = 'Another line has that name. Choose a different one.'
    usedNames.add(name.toLowerCase())
    return [{ number, name }]
  })
  return { lines, errors: Object.keys(errors).length > 0 ? errors : undefined }
}

const lineColumns: readonly Column<string, LineNames>[] = [
  { title: 'Name', text: (number, names) => names.getName(number) ?? '' },
  { title: 'Number', text: (number, names) => names.format(number) },
]

const NO_LINES_TEXT = 'No lines found: none is billed, and none was called in the last 30 days.'

function loadLines(services: Services, interaction: Interaction) {
  const offers = { retry: commandAgain('/calls lines'), request: 'your lines' }
  return offerOnFailure(offers, readLineNumbers(services, interaction))
}

async function readLineNumbers({ workspaces, lineList }: Services, { tenant }: Interaction) {
  const [account, names] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
  return { names, numbers: names.mergeNumbers(await lineList.numbers(account)) }
}

const listLines = (services: Services): Tool =>
  tool(
    new ToolAction('list_lines', z.strictObject({})),
    {
      needs: 'calls',
      title: 'List lines',
      description:
        "Lists the company's own phone numbers, and the names that its administrators gave them. With such a name list_calls finds the calls to a line.",
    },
    async (interaction) => {
      const { names, numbers } = await loadLines(services, interaction)
      const hidden = numbers.length - MAX_NUMBERS
      const table = fillTable(lineColumns, numbers.slice(0, MAX_NUMBERS), names)
      const text = numbers.length === 0 ? NO_LINES_TEXT : `Lines: ${numbers.length}`
      const list = numbers.length === 0 ? section(text) : tableBlock(table, {})
      const notes = hidden > 0 ? [context(`${hidden} more lines aren't shown.`)] : []
      return { message: { text, blocks: [header('Lines'), list, ...notes] } }
    },
  )

export function lines(services: Services): FeatureRoutes {
  const { workspaces, audit, homeTab } = services

  async function open({ interaction }: CommandRequest) {
    const { names, numbers } = await loadLines(services, interaction)
    const origin = { team: interaction.actor.team, channel: interaction.channel }
    return linesModal(origin, numbers.slice(0, MAX_NUMBERS), names)
  }

  return {
    tools: [async () => [listLines(services)]],
    commands: [{ command: 'calls', word: 'lines', needs: 'admin', opensModal: true, handle: open }],
    submissions: [
      {
        view: LINES_VIEW_ID,
        needs: 'admin',
        async handle({ interaction: { actor, tenant }, view }) {
          const { lines, errors } = readLines(view)
          if (errors) return { errors }
          await workspaces.nameLines(tenant, lines)
          await audit.record(actor, 'name lines', { detail: `${lines.length}` })
          homeTab.emit('outdated', actor)
          return { view: linesSavedModal(lines.length) }
        },
      },
    ],
  }
}
