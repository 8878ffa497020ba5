import { z } from 'zod'
import { dataVisualization } from './chart.ts'
import {
  button,
  checkboxes,
  datepicker,
  datetimepicker,
  emailInput,
  imageBlock,
  imageElement,
  numberInput,
  overflow,
  plainTextInput,
  radioButtons,
  timepicker,
  urlInput,
} from './elements.ts'
import { block, integer, list, object, oneOf, unsupportedType } from './primitives.ts'
import { richText } from './rich-text.ts'
import {
  channelsSelect,
  conversationsSelect,
  externalSelect,
  multiChannelsSelect,
  multiConversationsSelect,
  multiExternalSelect,
  multiStaticSelect,
  multiUsersSelect,
  staticSelect,
  usersSelect,
} from './selects.ts'
import { dataTable, table } from './table.ts'
import { anyText, mrkdwn, plainText } from './text.ts'

const selects = [
  staticSelect,
  externalSelect,
  conversationsSelect,
  channelsSelect,
  usersSelect,
  multiStaticSelect,
  multiExternalSelect,
  multiConversationsSelect,
  multiChannelsSelect,
  multiUsersSelect,
] as const
const pickers = [datepicker, timepicker, datetimepicker, radioButtons, checkboxes] as const

// https://docs.slack.dev/reference/block-kit/blocks/header-block: a level as of HTML's headings.
const header = object({
  type: z.literal('header'),
  ...block,
  text: plainText(150),
  level: integer(1, 4).optional(),
})

const divider = object({ type: z.literal('divider'), ...block })

// https://docs.slack.dev/reference/block-kit/blocks/section-block: text of 3000, up to 10 fields of 2000.
const section = object({
  type: z.literal('section'),
  ...block,
  text: anyText(3000).optional(),
  fields: list(anyText(2000), 10).optional(),
  accessory: z
    .discriminatedUnion('type', [button, overflow, imageElement, ...selects, ...pickers], {
      error: unsupportedType,
    })
    .optional(),
  expand: z.boolean().optional(),
}).refine(
  ({ text, fields }) => text !== undefined || fields !== undefined,
  'must define either `text` or `fields`',
)

// https://docs.slack.dev/reference/block-kit/blocks/context-block: up to 10 elements.
const context = object({
  type: z.literal('context'),
  ...block,
  elements: list(
    z.discriminatedUnion('type', [plainText(), mrkdwn(), imageElement], { error: unsupportedType }),
    10,
  ),
})

// https://docs.slack.dev/reference/block-kit/blocks/actions-block: up to 25 elements.
const actions = object({
  type: z.literal('actions'),
  ...block,
  elements: list(
    z.discriminatedUnion('type', [button, overflow, ...selects, ...pickers], { error: unsupportedType }),
    25,
  ),
})

// https://docs.slack.dev/reference/block-kit/blocks/input-block: label and hint of 2000.
const input = object({
  type: z.literal('input'),
  ...block,
  label: plainText(2000),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: z.discriminatedUnion(
    'type',
    [plainTextInput, emailInput, urlInput, numberInput, ...selects, ...pickers],
    { error: unsupportedType },
  ),
})

// https://docs.slack.dev/reference/block-kit/blocks/alert-block: in modals alone.
const alert = object({
  type: z.literal('alert'),
  ...block,
  text: anyText(),
  level: oneOf(['default', 'info', 'warning', 'error', 'success']).optional(),
})

// https://docs.slack.dev/reference/block-kit/blocks/container-block: 1 to 10 blocks, of those that both the reference and Slack's
// own validator name. Nothing says where it is taken: in messages, as everything else that groups.
const container = object({
  type: z.literal('container'),
  ...block,
  title: plainText(150).optional(),
  rich_text_title: richText.optional(),
  subtitle: anyText(150).optional(),
  child_blocks: list(
    z.discriminatedUnion('type', [actions, context, divider, header, imageBlock, section, table], {
      error: unsupportedType,
    }),
    10,
  ),
  width: oneOf(['narrow', 'standard', 'wide', 'full']).optional(),
  icon: imageElement.optional(),
  is_collapsible: z.boolean().optional(),
  default_collapsed: z.boolean().optional(),
  has_header_divider: z.boolean().optional(),
})
  .refine(
    ({ title, rich_text_title }) => title !== undefined || rich_text_title !== undefined,
    'must define either `title` or `rich_text_title`',
  )
  .refine(
    ({ is_collapsible, default_collapsed }) => is_collapsible === true || default_collapsed !== true,
    'must be collapsible to be collapsed by default',
  )

const everywhere = [header, divider, section, context, actions, input, imageBlock, richText] as const

/** Blocks by surface; a block of another surface is an unsupported type there, as Slack says. */
export const messageBlock = z.discriminatedUnion(
  'type',
  [...everywhere, table, dataTable, dataVisualization, container],
  { error: unsupportedType },
)
export const modalBlock = z.discriminatedUnion('type', [...everywhere, alert], { error: unsupportedType })
export const homeBlock = z.discriminatedUnion('type', [...everywhere, dataTable], { error: unsupportedType })
