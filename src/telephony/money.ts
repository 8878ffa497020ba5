/** `$12.50` is 1250 `units` with a `scale` of 2 decimal places. */
export interface Money {
  readonly symbol: string
  readonly units: bigint
  readonly scale: number
}

/** Up to five characters. A dot needs a letter before it, as in `Rs.`, so that it isn't a decimal point. */
const SYMBOL = /(?:[^\d.,-]|(?<=\p{L})\.){0,5}?/u
/** With or without groups of three digits, or of two as in India: `1,00,149`. */
const WHOLE = /\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,30}/
const MONEY = new RegExp(`^(-?)(${SYMBOL.source})\\s*(-?)(${WHOLE.source})(?:\\.(\\d{1,30}))?$`, 'u')

/** `$12.50`, `-$1,250.00`, `Rs. 1,00,149` */
export function parseMoney(text: string): Money | undefined {
  const match = MONEY.exec(text.trim())
  if (!match) return undefined
  const [, minus, symbol = '', minusAfterSymbol, whole = '', fraction = ''] = match
  const units = BigInt(whole.replaceAll(',', '') + fraction)
  const isNegative = minus === '-' || minusAfterSymbol === '-'
  return { symbol, units: isNegative ? -units : units, scale: fraction.length }
}

/** @param newScale at least the money's own */
export const toUnits = ({ units, scale }: Money, newScale: number): bigint =>
  units * 10n ** BigInt(newScale - scale)

/** Returns `undefined` if the currencies differ. Zero has any currency. */
export function addMoney(amounts: readonly Money[]): Money | undefined {
  // A sum has cents, even if no amount has them.
  const scale = Math.max(2, ...amounts.map((amount) => amount.scale))
  const symbols = new Set<string>()
  let units = 0n
  for (const amount of amounts) {
    if (amount.units !== 0n) symbols.add(amount.symbol)
    units += toUnits(amount, scale)
  }
  const [symbol = ''] = symbols
  return symbols.size > 1 ? undefined : { symbol, units, scale }
}

/** `$12.50` */
export function formatMoney({ symbol, units, scale }: Money): string {
  const sign = units < 0n ? '-' : ''
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const point = digits.length - scale
  const fraction = scale > 0 ? `.${digits.slice(point)}` : ''
  return `${sign}${symbol}${digits.slice(0, point)}${fraction}`
}

export const isZero = (text: string): boolean => parseMoney(text)?.units === 0n

export const noMoney: Money = { symbol: '', units: 0n, scale: 0 }
