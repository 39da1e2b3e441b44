// Singulars compared with a library: each plural that pluralize-esm forms of a noun is converted back to the noun.
import pluralize from 'pluralize-esm'
import { describe, expect, test } from 'vitest'
import { toSingular } from './naming.ts'

// Nouns common in APIs, and nouns with every ending that has its own plural form in English.
const NOUNS =
  `beach coach approach peach breach couch church bench torch sketch switch patch pitch stitch crutch search launch
lunch lynch porch perch inch ranch trench wrench epoch stomach monarch tech mustache pastiche quiche creche cliche
avalanche cache psyche ache headache toothache movie cookie zombie selfie brownie rookie hoodie smoothie foodie
pixie birdie eerie genie prairie sortie collie goalie newbie cutie veggie freebie indie lie pie tie die magpie
necktie bowtie goodie junkie lassie laddie talkie walkie techie hippie auntie budgie calorie camaraderie eyrie
menagerie reverie coterie lingerie boogie bogie bookie tomato potato hero echo veto torpedo volcano tornado mosquito
mango cargo domino embargo photo piano logo video studio radio ratio memo demo repo zoo kangaroo tattoo shoe toe
canoe hoe foe oboe horseshoe tiptoe aloe roe doe status virus bonus campus census corpus focus genius nexus octopus
opus plus prospectus radius stimulus surplus syllabus versus walrus apparatus consensus cactus fungus nucleus
alumnus abacus lotus mucus circus chorus discus exodus fetus hiatus isthmus minus bus use cause clause excuse fuse
house mouse muse pause phrase refuse reuse ruse spouse warehouse blouse abuse applause louse douse recluse cruse gas
alias bias canvas atlas iris lens pancreas christmas analysis basis crisis diagnosis ellipsis emphasis hypothesis
oasis paralysis parenthesis prognosis synopsis synthesis thesis catharsis genesis nemesis neurosis axis base case
database phase purchase release vase lease disease increase decrease showcase suitcase chase erase ease crease
grease course horse nurse purse verse universe response sense license defense expense offense suspense tense rinse
rose nose hose dose purpose pose close prose goose moose noose loose exercise franchise promise premise enterprise
paradise surprise merchandise device service notice office practice price prize size quiz maze gaze breeze freeze
bronze buzz waltz topaz blitz fez box tax fax index matrix vertex vortex appendix suffix prefix mix fix sex ax
complex apex codex crux flux helix phoenix annex reflex hoax wolf shelf half calf elf leaf loaf thief knife wife
life self scarf hoof dwarf chief belief proof roof cliff staff giraffe safe cafe carafe reef brief gulf golf grief
relief chef beef turf surf drive wave archive move glove love sleeve valve curve nerve reserve slave cave grave hive
olive native motive relative sieve dive five eve child person man woman foot tooth ox salesman fisherman human
german talisman shaman caiman roman criterion phenomenon automaton datum medium bacterium curriculum memorandum
stadium forum album museum aquarium premium addendum erratum stratum bureau plateau tableau chateau menu guru emu
gnu haiku tofu tutu bayou caribou day key boy toy monkey survey journey valley delay essay array holiday alley
trolley attorney story city policy category query reply supply baby lady army enemy spy sky fly berry cherry country
county colony guy buy soliloquy colloquy class address process access business boss pass glass dress stress progress
mass loss kiss guess princess mattress witness fitness dish brush crash wish flash hash ash bush mesh leash eyelash
fish push news series species means analytics logistics physics headquarters mathematics economics statistics
politics gymnastics sheep deer aircraft equipment information software hardware furniture account action activity
agent alert api app article asset attachment author badge bank batch bill blog board book branch brand bucket budget
building button calendar call campaign card cart certificate change channel charge chat claim client cluster code
collection comment commit company component config connection contact container contract conversation cost coupon
credential credit currency customer dashboard dataset deal deployment department deposit design discount document
domain draft driver edge email employee endpoint engine entity entry environment error event exchange experiment
export facility factory feature fee feed field file filter folder form gateway goal grant graph group guest guide
history hook host hour image incident input instance insurance integration interview invoice issue item job journal
label language layer lead league lesson level library line link list listing loan location lock log machine manager
map market match measure meeting member merchant message meter metric milestone mode model module month network node
note notification object offer option order organization owner package page parcel part partner party passenger
password path patient payload payment payout payroll permission phone place plan platform player plugin point
portfolio position post preference product profile program project property proposal provider publisher quantity
question queue quota quote rack range rate rating reason receipt recipe record recipient refund region registry
report repository request resource result review reward right role room route rule run salary sale sample scale
schedule schema scope score screen script season seat secret section sector segment sensor server session setting
shape share shift shipment shop signature site skill slide slot snapshot source space sprint stage standard
statement station step stock storage store stream street student subject subscriber subscription supplier symbol
system table tag target task team template tenant term test theme thread threshold ticket tier time token tool topic
total track trade transaction transfer transition trigger trip tunnel turn type unit update upload user value
variable vehicle vendor version view visit visitor volume vote voucher wallet warning webhook week widget window
word worker workflow workspace year zone`.split(/\s+/)

/** Nouns that the rules do not handle, by reason; an endpoint sets `singular: '…'` for those. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'the library writes a plural that English does not have': 'virus gulf golf',
  'the plural belongs to another noun, too, which is the commoner one': 'ax basis ellipsis',
  'written as a singular in names of APIs': 'datum',
  'a statistic is a common element of statistics': 'statistics',
  // Every rule adds bytes to every front end: only common names of resources have one.
  'rare nouns in -ie': [
    'hoodie smoothie foodie pixie birdie eerie genie prairie sortie collie goalie newbie cutie veggie freebie',
    'indie die magpie necktie bowtie goodie junkie lassie laddie talkie walkie techie hippie auntie budgie',
    'camaraderie eyrie menagerie reverie coterie lingerie boogie bogie',
  ].join(' '),
  'rare plurals of Latin and Greek': [
    'focus radius stimulus syllabus cactus fungus nucleus alumnus emphasis oasis synopsis catharsis genesis',
    'nemesis neurosis codex ox automaton bacterium curriculum addendum erratum stratum',
  ].join(' '),
  'other rare endings': [
    'mustache pastiche quiche creche cliche psyche toothache hoe foe oboe tiptoe aloe roe doe muse ruse louse',
    'recluse cruse pancreas christmas scarf hoof dwarf emu gnu haiku tofu tutu bayou caribou mathematics',
    'economics politics gymnastics schema',
  ].join(' '),
}

const excepted = new Set(Object.values(EXCEPTIONS).flatMap((nouns) => nouns.split(' ')))
const wrong = (one: (word: string) => string): string[] => NOUNS.filter((noun) => one(pluralize.plural(noun)) !== noun)

describe('[PAR-03] singulars of the plurals that a library makes', () => {
  test('are the nouns, except for those that are listed with a reason', () => {
    expect(wrong(toSingular).filter((noun) => !excepted.has(noun))).toEqual([])
  })

  test('no exception is listed in vain', () => {
    expect([...excepted].filter((noun) => toSingular(pluralize.plural(noun)) === noun)).toEqual([])
    expect([...excepted].filter((noun) => !NOUNS.includes(noun))).toEqual([])
  })

  test('what is singular stays', () => {
    expect(NOUNS.filter((noun) => toSingular(noun) !== noun && !excepted.has(noun))).toEqual([])
  })
})
