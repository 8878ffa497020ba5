import { z } from 'zod'
import { interactive, mustBeAmong, placeholdable } from './elements.ts'
import { distinctValues, option, optionGroup } from './options.ts'
import { identifier, integer, list, object, oneOf, refuse } from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element
// https://docs.slack.dev/reference/block-kit/block-elements/multi-select-menu-element
// 100 options or 100 groups, never both; max_selected_items of at least 1.
const menu = { ...interactive, ...placeholdable }
const multi = { ...menu, max_selected_items: z.int().min(1, 'must be at least 1').optional() }
const ids = list(identifier, 100)
const urlFlag = { response_url_enabled: z.boolean().optional() }

const staticOptions = {
  options: list(option, 100).superRefine(distinctValues).optional(),
  option_groups: list(optionGroup, 100).optional(),
}

type StaticOptions = z.infer<z.ZodObject<typeof staticOptions>>

const select = <T extends string, S extends z.core.$ZodLooseShape>(type: T, fields: S) =>
  object({ type: z.literal(type), ...menu, ...fields })
const multiSelect = <T extends string, S extends z.core.$ZodLooseShape>(type: T, fields: S) =>
  object({ type: z.literal(type), ...multi, ...fields })

export const staticSelect = select('static_select', {
  ...staticOptions,
  initial_option: option.optional(),
}).superRefine((element, context) => {
  const { initial_option: initial } = element
  checkStatic(element, initial === undefined ? [] : [[initial, ['initial_option']]], context)
})

export const multiStaticSelect = multiSelect('multi_static_select', {
  ...staticOptions,
  initial_options: list(option, 100).optional(),
}).superRefine((element, context) => {
  const { initial_options: initial = [] } = element
  const paths = initial.map((one, index) => [one, ['initial_options', index]] as const)
  checkStatic(element, paths, context)
})

const minQueryLength = { min_query_length: integer(0, 3000).optional() }

export const externalSelect = select('external_select', {
  ...minQueryLength,
  initial_option: option.optional(),
})

export const multiExternalSelect = multiSelect('multi_external_select', {
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

export const conversationsSelect = select('conversations_select', {
  ...urlFlag,
  ...conversations,
  initial_conversation: identifier.optional(),
})

export const multiConversationsSelect = multiSelect('multi_conversations_select', {
  ...conversations,
  initial_conversations: ids.optional(),
})

export const channelsSelect = select('channels_select', {
  ...urlFlag,
  initial_channel: identifier.optional(),
})

export const multiChannelsSelect = multiSelect('multi_channels_select', { initial_channels: ids.optional() })

export const usersSelect = select('users_select', { initial_user: identifier.optional() })

export const multiUsersSelect = multiSelect('multi_users_select', { initial_users: ids.optional() })

function checkStatic(
  { options, option_groups }: StaticOptions,
  initial: readonly (readonly [unknown, readonly PropertyKey[]])[],
  context: z.RefinementCtx,
): void {
  if ((options === undefined) === (option_groups === undefined)) {
    refuse(context, [], 'must define either `options` or `option_groups`')
    return
  }
  const all = options ?? (option_groups ?? []).flatMap((group) => group.options)
  for (const [one, path] of initial) mustBeAmong(all, one, path, context)
}
