import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { tryAgainButton } from '../../slack/blocks/buttons.ts'
import { modalWithMetadata, readMetadata } from '../../slack/blocks/modal.ts'
import { type Column, fillTable, tableBlock } from '../../slack/blocks/tables.ts'
import { ToolAction } from '../../slack/blocks/tool-action.ts'
import { textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import * as fields from '../../slack/forms/fields.ts'
import { type Field, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import * as routing from '../../slack/routing/routes.ts'
import { LineNames, MAX_LINE_LENGTH, type NamedLine, toLineKey } from '../../telephony/lines.ts'
import { rowsText } from '../../util/paging.ts'
import { countNoun, fold, takeStart } from '../../util/text.ts'

/** Fits a column of a table. */
const MAX_LINE_NAME_LENGTH = 20
/** Fits the modal and its metadata, and a table. */
const MAX_NUMBERS = 60

const MODAL_TITLE = 'Name your lines'
const INTRO = 'Lists and reports show the name instead of the number, and `line:NAME` finds its calls.'
const LINES_VIEW_ID = 'calls.lines'

/** Numbers of one form; `first` is the index of its first number among all. */
const linesMetadataSchema = z.object({
  numbers: z.array(z.string()),
  first: z.int().min(0),
  total: z.int().min(0),
})
type LinesPart = Readonly<z.infer<typeof linesMetadataSchema>>

/** Sorted, because names given in one form must not move numbers of the next. Cut, because the metadata holds them. */
function toPart(numbers: readonly string[], lastShown: string | undefined): LinesPart {
  const sorted = numbers.map((number) => takeStart(number, MAX_LINE_LENGTH)).toSorted()
  const first = lastShown === undefined ? 0 : sorted.filter((number) => number <= lastShown).length
  return { numbers: sorted.slice(first, first + MAX_NUMBERS), first, total: sorted.length }
}

const hasMore = ({ numbers, first, total }: LinesPart): boolean => first + numbers.length < total

const inputId = (index: number) => `line-${index}`

/** Inputs are numbered through all forms, because Slack keeps the text of an input with the same id. */
function createLinesForm({ numbers, first }: LinesPart, names = LineNames.none) {
  const inputs: Record<string, Field<string>> = {}
  for (const [index, number] of numbers.entries()) {
    inputs[inputId(first + index)] = fields.text(names.format(number), {
      maxLength: MAX_LINE_NAME_LENGTH,
      initial: names.getName(number),
      isOptional: true,
    })
  }
  return new Form<Record<string, string>>(inputs)
}

function describePart(part: LinesPart): string {
  const { numbers, first, total } = part
  const positions = rowsText({ firstRow: first + 1, lastRow: first + numbers.length, total })
  const hint = hasMore(part) ? ' Save to see the next ones.' : ''
  return `Numbers ${positions}: those you pay for, and those called in the last 30 days.${hint}`
}

function buildNamedLinesModal(names: LineNames): types.ModalView {
  const sortedLines = names.lines.toSorted((a, b) => a.name.localeCompare(b.name))
  const rows = sortedLines.map(
    ({ number, name }) => `• *${blocks.escapeText(name)}* ${blocks.escapeText(names.format(number))}`,
  )
  const title = rows.length === 0 ? 'Saved. No line has a name now.' : 'Saved. These lines have names:'
  return messageModal([title, ...rows].join('\n'), { title: MODAL_TITLE })
}

function findNameError(name: string, usedNames: ReadonlySet<string>): string | undefined {
  if (!/\p{L}/u.test(name) || /["“”„‟«»]/.test(name)) return 'Use at least one letter, and no quotes.'
  if (usedNames.has(fold(name))) return 'Another line has that name. Choose a different one.'
  return undefined
}

/** Returns all named lines, including those that the form didn't show, or the errors of the form. */
function readNamedLines(view: ViewPayload, part: LinesPart, namesBefore: LineNames) {
  // The inputs are optional texts, so reading them finds no errors.
  const { values = {} } = createLinesForm(part).read(view)
  const errors: Record<string, string> = {}
  const shownKeys = new Set(part.numbers.map(toLineKey))
  const namedLines: NamedLine[] = namesBefore.lines.filter(({ number }) => !shownKeys.has(toLineKey(number)))
  const usedNames = new Set(namedLines.map(({ name }) => fold(name)))
  for (const [index, number] of part.numbers.entries()) {
    const id = inputId(part.first + index)
    const name = (values[id] ?? '').replaceAll(/\s+/g, ' ')
    if (name === '') continue
    const error = findNameError(name, usedNames)
    if (error !== undefined) errors[id] = error
    usedNames.add(fold(name))
    namedLines.push({ number, name })
  }
  return Object.keys(errors).length > 0 ? { errors } : { namedLines }
}

async function readLines({ workspaces, lineList }: Services, { tenant }: routing.Interaction) {
  const [account, names] = await Promise.all([workspaces.getAccount(tenant), workspaces.getLineNames(tenant)])
  const listedNumbers = await lineList.numbers(account)
  return { names, numbers: names.mergeNumbers(listedNumbers) }
}

function loadLines(services: Services, interaction: routing.Interaction) {
  const makeOffers = () => ({ retry: tryAgainButton('/calls lines'), request: 'your lines' })
  return offerOnFailure(makeOffers, readLines(services, interaction))
}

/** @param lastShown the last number of the form that was saved, if there was one */
async function openForm(services: Services, interaction: routing.Interaction, lastShown?: string) {
  const { names, numbers } = await loadLines(services, interaction)
  const part = toPart(numbers, lastShown)
  const emptyText = 'There are no numbers to name. They appear here once they are billed or called.'
  // The account has no numbers, or the next ones have left the list since the form was opened.
  if (part.numbers.length === 0) return messageModal(emptyText, { title: MODAL_TITLE })
  const inputs = createLinesForm(part, names).buildInputs()
  return modalWithMetadata(linesMetadataSchema, {
    id: LINES_VIEW_ID,
    origin: { workspace: interaction.actor.workspace, channel: interaction.channel },
    metadata: part,
    title: MODAL_TITLE,
    submit: hasMore(part) ? 'Save and continue' : 'Save names',
    blocks: [blocks.section(INTRO), blocks.context(describePart(part)), ...inputs],
  })
}

async function save(services: Services, { interaction, view }: routing.SubmissionRequest) {
  const { store, workspaces, audit, homeTab } = services
  const { actor, tenant } = interaction
  const part = readMetadata(view, linesMetadataSchema)
  const namesBefore = await workspaces.getLineNames(tenant)
  const { namedLines, errors } = readNamedLines(view, part, namesBefore)
  if (errors) return { errors }
  await store.lines.set({ lines: namedLines }, tenant)
  await audit.record(actor, 'named lines', { detail: countNoun(namedLines.length, 'name') })
  homeTab.emit('outdated', actor)
  if (hasMore(part)) return { view: await openForm(services, interaction, part.numbers.at(-1)) }
  const names = await workspaces.getLineNames(tenant)
  return { view: buildNamedLinesModal(names) }
}

const lineColumns: readonly Column<string, LineNames>[] = [
  { title: 'Name', text: (number, names) => names.getName(number) ?? '' },
  { title: 'Number', text: (number, names) => names.format(number) },
]

async function listLines(services: Services, interaction: routing.Interaction) {
  const { names, numbers } = await loadLines(services, interaction)
  const emptyText = 'No lines found: none is billed, and none was called in the last 30 days.'
  if (numbers.length === 0) return textAnswer(emptyText)
  const table = fillTable(lineColumns, numbers.slice(0, MAX_NUMBERS), names)
  // The title has the number of all lines, so it shows that a longer list is cut.
  const text = `Lines: ${numbers.length}`
  return { message: { text, blocks: [blocks.header(text), tableBlock(table, {})] } }
}

function linesTool(services: Services): routing.Tool {
  const description =
    "Lists the company's own phone numbers, and the names that its administrators gave them. With such a name list_calls finds the calls to a line."
  const action = new ToolAction('list_lines', z.strictObject({}))
  const about = { needs: 'calls', title: 'List lines', description } as const
  return routing.tool(action, about, (interaction) => listLines(services, interaction))
}

export const lines = (services: Services): routing.FeatureRoutes => ({
  tools: [async () => [linesTool(services)]],
  commands: [
    {
      command: 'calls',
      word: 'lines',
      needs: 'admin',
      opensModal: true,
      handle: ({ interaction }) => openForm(services, interaction),
    },
  ],
  submissions: [{ view: LINES_VIEW_ID, needs: 'admin', handle: (request) => save(services, request) }],
})
