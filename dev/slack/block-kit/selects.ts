import { z } from 'zod'
import { actionable, confirmable, focusable, mustBeAmong, placeholdable } from './elements.ts'
import { distinctValues, option, optionGroup } from './options.ts'
import { identifier, integer, list, object, oneOf } from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element
// https://docs.slack.dev/reference/block-kit/block-elements/multi-select-menu-element
// 100 options or 100 groups, never both; max_selected_items of at least 1.
const menu = { ...actionable, ...confirmable, ...focusable, ...placeholdable }
const multi = { ...menu, max_selected_items: z.int().min(1, 'must be at least 1').optional() }
const ids = list(identifier, 100)
const urlFlag = { response_url_enabled: z.boolean().optional() }

const staticOptions = {
  options: list(option, 100).superRefine(distinctValues).optional(),
  option_groups: list(optionGroup, 100).optional(),
}

type StaticOptions = z.infer<z.ZodObject<typeof staticOptions>>

export const staticSelect = object({
  type: z.literal('static_select'),
  ...menu,
  ...staticOptions,
  initial_option: option.optional(),
}).superRefine((select, context) => {
  checkStatic(
    select,
    select.initial_option === undefined ? [] : [[select.initial_option, ['initial_option']]],
    context,
  )
})

export const multiStaticSelect = object({
  type: z.literal('multi_static_select'),
  ...multi,
  ...staticOptions,
  initial_options: list(option, 100).optional(),
}).superRefine((select, context) => {
  const initial = select.initial_options ?? []
  checkStatic(
    select,
    initial.map((one, index) => [one, ['initial_options', index]]),
    context,
  )
})

const minQueryLength = { min_query_length: integer(0, 3000).optional() }

export const externalSelect = object({
  type: z.literal('external_select'),
  ...menu,
  ...minQueryLength,
  initial_option: option.optional(),
})

export const multiExternalSelect = object({
  type: z.literal('multi_external_select'),
  ...multi,
  ...minQueryLength,
  initial_options: list(option, 100).optional(),
})

// https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object: not empty, nor is `include`.
const conversationFilter = object({
  include: list(oneOf(['im', 'mpim', 'private', 'public']), 4).optional(),
  exclude_external_shared_channels: z.boolean().optional(),
  exclude_bot_users: z.boolean().optional(),
}).refine((filter) => Object.keys(filter).length > 0, 'must define at least one field')

const conversations = {
  default_to_current_conversation: z.boolean().optional(),
  filter: conversationFilter.optional(),
}

export const conversationsSelect = object({
  type: z.literal('conversations_select'),
  ...menu,
  ...urlFlag,
  ...conversations,
  initial_conversation: identifier.optional(),
})

export const multiConversationsSelect = object({
  type: z.literal('multi_conversations_select'),
  ...multi,
  ...conversations,
  initial_conversations: ids.optional(),
})

export const channelsSelect = object({
  type: z.literal('channels_select'),
  ...menu,
  ...urlFlag,
  initial_channel: identifier.optional(),
})

export const multiChannelsSelect = object({
  type: z.literal('multi_channels_select'),
  ...multi,
  initial_channels: ids.optional(),
})

export const usersSelect = object({
  type: z.literal('users_select'),
  ...menu,
  initial_user: identifier.optional(),
})

export const multiUsersSelect = object({
  type: z.literal('multi_users_select'),
  ...multi,
  initial_users: ids.optional(),
})

function checkStatic(
  { options, option_groups }: StaticOptions,
  initial: readonly (readonly [unknown, PropertyKey[]])[],
  context: z.RefinementCtx,
): void {
  if ((options === undefined) === (option_groups === undefined)) {
    context.addIssue({ code: 'custom', message: 'must define either `options` or `option_groups`' })
    return
  }
  const all = options ?? (option_groups ?? []).flatMap((group) => group.options)
  for (const [one, path] of initial) mustBeAmong(all, one, path, context)
}
