/** Limits for buttons and menus: the whole query has to fit a block's id. */
export const AGENT_LENGTHS = { id: 37, name: 75 } as const
