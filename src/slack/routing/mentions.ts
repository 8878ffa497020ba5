import { findNamelessPeople } from '../../util/mentions.ts'
import type { Actor } from '../access/guards.ts'
import type { People } from '../access/people.ts'
import type { Word } from './split-words.ts'

/** Adds names to mentions that Slack sent without them, because agents are looked up by name. @throws {SlackError} */
export async function nameMentions(
  people: People,
  { installation, workspace }: Actor,
  words: readonly Word[],
): Promise<readonly Word[]> {
  const names = new Map<string, string>()
  for (const id of words.flatMap(({ value }) => findNamelessPeople(value))) {
    const { name } = await people.find(installation, workspace, id)
    names.set(id, name.replaceAll(/[<>|]/g, ''))
  }
  const addNames = (text: string) =>
    text.replaceAll(/<@([UW][A-Z0-9]+)\|?\s*>/g, (_, id: string) => `<@${id}|${names.get(id) ?? id}>`)
  return words.map((word) => ({ ...word, written: addNames(word.written), value: addNames(word.value) }))
}
