import { expect, it } from 'vitest'
import { filterByName, matchNames } from '../../src/util/names.ts'

const toItems = (names: readonly string[]) => names.map((name, index) => ({ id: `id-${index}`, name }))
const toNames = (items: readonly { readonly name?: string }[]) => items.map(({ name }) => name)

const people = "Joanna Reyes,Annabel Lee,Anna Smith,Anna Schmidt,Liam O'Brien,Zoë Müller,Bo".split(',')

/** Text, names that are found, and the name that is meant. */
it.each<[string, string[], readonly string[], string | undefined]>([
  ['anna smith', people, ['Anna Smith'], 'Anna Smith'],
  ['SMITH  anna', people, ['Anna Smith'], 'Anna Smith'],
  ['anna.smith', people, ['Anna Smith'], 'Anna Smith'],
  ['anna', people, ['Anna Smith', 'Anna Schmidt', 'Annabel Lee', 'Joanna Reyes'], undefined],
  ['ann', people, ['Annabel Lee', 'Anna Smith', 'Anna Schmidt', 'Joanna Reyes'], undefined],
  ['ann sm', people, ['Anna Smith'], 'Anna Smith'],
  ['schm', people, ['Anna Schmidt'], 'Anna Schmidt'],
  ['oann', people, ['Joanna Reyes'], 'Joanna Reyes'],
  ['bo', [...people, 'Bo Berg', 'Bob'], ['Bo'], 'Bo'],
  ['sales', ['Presales', 'Sales Berlin'], ['Sales Berlin', 'Presales'], 'Sales Berlin'],
  ['sales', ['Presales', 'Sales Berlin', 'Sales'], ['Sales'], 'Sales'],
  ['sales', ['Presales', 'Salesforce'], ['Salesforce', 'Presales'], undefined],
  ['bo', ['Bo', 'BO'], ['Bo', 'BO'], undefined],
  ['id-1', ['Bo', 'Anna'], ['Anna'], 'Anna'],
  ['id', ['Anna', 'Bo'], [], undefined],
  ['R&D', ['Robert Dean', 'R&D Berlin'], ['R&D Berlin'], 'R&D Berlin'],
  ['🚀', ['🚀', 'Team 🚀'], ['🚀'], '🚀'],
  ['***', ['VIP ***', 'Bo'], ['VIP ***'], 'VIP ***'],
  ['', people, [], undefined],
  [' \u200b', people, [], undefined],
  ['zzz', people, [], undefined],
])('%j in %j: %j', (text, names, found, meant) => {
  const matches = matchNames(toItems(names), text)
  expect(new Set(toNames(matches.found))).toEqual(new Set(found))
  expect(matches.found[0]?.name).toBe(found[0])
  expect(matches.isClear ? matches.found[0]?.name : undefined).toBe(meant)
})

it.each([
  ["o'brien", 'O’Brien', 'O‘Brien', 'OʼBrien', 'O´Brien', 'O`Brien', 'O＇Brien', 'o′brien'],
  ['Zoë', 'Zoe\u0308', 'zoe', 'ZOË', '\u200eZoë\u200f', 'Zo\u200bë', '\u2060zoe\ufeff'],
  ['Café', 'Cafe', 'CAFE\u0301', 'Ｃａｆｅ'],
  ['Weiß', 'WEISS', 'weiss'],
  ['Łukasz Sørensen', 'lukasz sorensen', 'LUKASZ\u00a0SØRENSEN', 'lukasz  sorensen'],
  ['İrem Işık', 'irem isik', 'IREM ISIK'],
  ['Σίσυφος', 'ΣΙΣΥΦΟΣ', 'σισυφοσ'],
  ['ガ', 'ｶﾞ', 'カ\u3099'],
  ['한글', '한글'.normalize('NFD')],
  ['Anna-Lena', 'Anna‐Lena', 'Anna–Lena', 'anna‑lena', 'Anna-\u00adLena'],
  ['Team 12', 'Ｔｅａｍ　１２'],
  ['ﬁnance', 'finance'],
  ['مُحَمَّد', 'محمد'],
])('%s is the same name in any spelling', (name, ...spellings) => {
  const items = [{ name }, { name: 'Somebody Else' }]
  for (const spelling of spellings) {
    expect(matchNames(items, spelling)).toMatchObject({ found: [{ name }], isClear: true })
    expect(matchNames([{ name: spelling }], name).rank).toBe(0)
  }
})

it.each([
  ['かき', 'がき'],
  ['की', 'का'],
  ['ที่', 'ทุ'],
])('%s and %s are different names', (name, other) => {
  expect(matchNames([{ name }], other).found).toEqual([])
})

it.each([
  ['ana smth', ['Anna Smith']],
  ['anna smiht', ['Anna Smith']],
  ['muler', ['Zoë Müller']],
  ['annasmith', ['Anna Smith']],
  ['anna', []],
  ['xyzzy', []],
  ['who took what', []],
])('%s is similar to %j', (text, similar) => {
  expect(toNames(matchNames(toItems(people), text).similar)).toEqual(similar)
})

it('filters nothing without text', () => {
  const items = toItems(people)
  expect(filterByName(items, ' \u200b')).toEqual(items)
  expect(filterByName(items, 'zzz')).toEqual([])
})
