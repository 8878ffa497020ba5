/** Channels, people and groups as Slack writes them: `<#C1|sales>`, `<@U1|bo>`, `<!subteam^S1|@team>`, `<!here>`. */
const MENTION = /<([#@](?=[A-Z0-9])|!(?=[a-z]))([A-Za-z0-9^]+)(?:\|([^<>]*))?>/g

/** Returns the end of a word, which may contain mentions with spaces: `<@U1|Bo Smith>`. */
export const findWordEnd = (text: string): number => /^(?:<[#@!][^<>]*>|\S)*/.exec(text)?.[0].length ?? 0

/** Writes mentions as people see them: `#sales`, `@bo`. Those of private channels have no name (`<#C1|>`). */
export const withMentionNames = (text: string): string =>
  text.replaceAll(MENTION, (_, sign: string, id: string, name = '') => {
    if (sign === '#') return name === '' ? 'the channel' : `#${name}`
    return `@${(name === '' ? id : name).replace(/^@/, '')}`
  })

/** Returns the ids of people who are mentioned without their names. */
export const findNamelessPeople = (text: string): readonly string[] =>
  Array.from(text.matchAll(/<@([UW][A-Z0-9]+)(?:\|\s*)?>/g), ([, id = '']) => id)

/** True for a person; false for a channel. A subscription may post to either. */
export const isPersonId = (conversation: string): boolean => /^[UW]/.test(conversation)
