/** An amount such as `$12.50`: 1250 `units` at a `scale` of 2. */
export interface Money {
  readonly symbol: string
  readonly units: bigint
  readonly scale: number
}

/** `Rs.` ends in a dot. */
const SYMBOL = /(?:[^\d.,-]|(?<=\p{L})\.){0,5}?/u
/** Groups of three digits, as in India of two: `1,00,149`. */
const WHOLE = /\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,30}/
const MONEY = new RegExp(`^(-?)(${SYMBOL.source})\\s*(-?)(${WHOLE.source})(?:\\.(\\d{1,30}))?$`, 'u')

/** Accepts commas between thousands, lakhs and crores. */
export function parseMoney(text: string): Money | undefined {
  const match = MONEY.exec(text.trim())
  if (!match) return undefined
  const [, minus, symbol = '', minusAfterSymbol, whole = '', fraction = ''] = match
  const units = BigInt(whole.replaceAll(',', '') + fraction)
  return { symbol, units: minus || minusAfterSymbol ? -units : units, scale: fraction.length }
}

/** Returns the units for a scale that isn't smaller. */
export const unitsAt = ({ units, scale }: Money, target: number) => units * 10n ** BigInt(target - scale)

/** Returns `undefined` if the currencies differ. Zero has any currency. */
export function addMoney(amounts: readonly Money[]): Money | undefined {
  const scale = Math.max(2, ...amounts.map((amount) => amount.scale))
  const symbols = new Set<string>()
  let units = 0n
  for (const amount of amounts) {
    if (amount.units !== 0n) symbols.add(amount.symbol)
    units += unitsAt(amount, scale)
  }
  const [symbol = ''] = symbols
  return symbols.size > 1 ? undefined : { symbol, scale, units }
}

export const negateMoney = (money: Money): Money => ({ ...money, units: -money.units })

/** `$12.50` */
export function formatMoney({ symbol, units, scale }: Money): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const point = digits.length - scale
  const sign = units < 0n ? '-' : ''
  return `${sign}${symbol}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
}

export const isZero = (text: string): boolean => parseMoney(text)?.units === 0n

export const noMoney: Money = { symbol: '', units: 0n, scale: 0 }
