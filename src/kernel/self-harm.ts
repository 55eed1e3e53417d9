/*
 * Phrases about suicide and self-harm, in English and Spanish. They come from public guidance on what to take
 * seriously: the Columbia screener (wish to be dead or not wake up, thoughts of suicide, method), PHQ-9 item 9 in both
 * languages (better off dead, hurting oneself), and warning signs from 988, SAMHSA and NIMH (no reason to live, being a
 * burden, looking for a way). A false alarm costs a glance and a miss may cost a life, so negations ("I don't want to
 * die") and words about someone else count; known idioms don't.
 */

/** Harmless matches: idioms, titles and verses. */
const idioms = [
  'suicide (?:squad|prevention|bomb\\w*|mission|doors|awareness|hotline|lifeline)',
  '(?:political|career|social|commercial|financial) suicide',
  'take my life and let it be',
  'die(?:ing)? to (?:my ?self|self|sin|the flesh|the law)',
  'to die for (?!real|sure|good)',
  'rather die than (?!live|go on|keep|be alive|wake|stay|face)',
  'die on (?:that|this|the|every) hill',
  'die+ (?:laughing|of (?:laughter|embarrassment|shame|boredom|old age))',
  'dying my hair',
  'shoot(?:ing)? my ?self in the foot',
  'kill(?:ing)? my ?self laughing',
  'cut(?:ting)? my ?self (?:off|short|loose|free|some|shaving|cooking|while|a (?:break|deal|piece|slice)|on (?:an?|the|my|some))',
  'drown(?:ing)? my ?self in (?:work|coffee|books|music)',
  'overdos\\w* (?:on|of) (?:chocolate|coffee|caffeine|sugar|cake|news|tv|social media|screen time)',
  'escuadron suicida',
  'suicidio (?:politico|profesional)',
  'prevencion del suicidio',
  '(?:matar|morir)(?:me|nos|se)? de (?:la )?(?:risa|hambre|sed|frio|calor|sueno|verguenza|aburrimiento|ganas|miedo|amor)',
  'matar(?:me|nos|se) (?:trabajando|estudiando|entrenando)',
  'morir (?:al?|para) (?:mi|mi mismo|mi misma|yo|pecado|el pecado|la carne)',
  'cortarme (?:el|las unas)',
];

const oneself = '(?:(?:my|him|her|your|one) ?self|(?:them|our) ?sel(?:f|ves))';
const wants = '(?:wish|wishing|wished|want|wanting|wanted|wanna|hope|hoping|pray|praying)';
/** Filler words between a wish and its object. */
const soft =
  '(?:(?:just|really|so|badly|fucking|freaking|literally|honestly|sometimes|only|actually|even|all|almost|still|desperately|to|2|go|and|i|could|would|can|might|me) )*';
const about = `(?:${wants}|thoughts|thinking|think|thought|idea|ideas|urges?|like|need|going|gonna|planning|planned|plan|keep|started|tempted|tried|trying|try|should|might|may|could|will|ill)`;
const upTo = '(?:(?:to|of|about|just|really|even|like) )*';
/** Negative lookahead for places and companies: "don't want to live in Texas" isn't about living. */
const somewhere =
  '(?! (?:in (?!(?:this|such|the) (?:world|pain|body|hell|misery))|with|at|near|there|alone|on|by|far|together|out|here(?! any)))';

const english = [
  'suicid\\w*',
  '(?:suiside|sucide|suicde|suacide)\\w*',
  `kil+(?:ed|ing|s)? ?${oneself}`,
  'unaliv\\w+',
  'kys',
  `${about} ${upTo}kms`,

  // Wish to be dead.
  `${wants} ${soft}(?:die+|be dead)`,
  '(?:i|im|i am|i d|id) (?:ready to|deserve to|need to|prefer to|should|would rather|rather) (?:just )?(?:die+|be dead)',
  'better off dead',
  '(?:rather|better|better off) (?:be|being|if i (?:was|were)|if im) (?:dead|gone)',
  'let me (?:just )?die+',
  'feel(?:ing)? like (?:just )?dying',
  `${wants} (?:that )?i (?:was|were|wasnt|werent|had never been|was never|were never|hadnt been) (?:just )?(?:dead|alive|here anymore|born|gone)`,
  `${wants} (?:that )?i (?:(?:could|would) )?(?:just )?(?:disappear|didnt exist|never existed|stop existing|cease to exist)`,
  '(?:should never|shouldnt|should not|never should) have been born',
  'want(?:ed)? to (?:just )?(?:cease to exist|stop existing|not exist|disappear(?! (?:for|with|into)\\b))',
  '(?:some(?:one|body)|god|lord|jesus|please)(?: (?:please|just|would|to))* kill me',
  '(?:god|lord|jesus) (?:please |just )*take me home',
  'please (?:god |lord |jesus )?take me home(?! (?:from|after|when))',
  '(?:go|be) (?:home )?(?:to|with|in) (?:be with )?(?:jesus|god|the lord|heaven) (?:now|already|today|tonight|soon)',

  // Wish not to wake up.
  `${wants} ${soft}(?:not|never|wouldnt|wont|dont|didnt) (?:ever |have to )*wake up`,
  'sleep and (?:just )?(?:not|never) wake up',
  `${wants} ${soft}(?:sleep|be asleep) forever`,
  'never wake up(?: again| anymore|$)',
  '(?:dont|do not|no longer) want to (?:ever )?wake up(?! (?:early|so|at|to|before|for|with|late|on))',

  // Ending one's life.
  '(?:end|ends|ended|ending|take|takes|took|taking) (?:my|his|her|their) (?:own )?li(?:fe|ves)',
  'end(?:ing)? it all',
  `${wants} ${soft}end (?:it|things)(?! (?:with|between|early|on|at|well|by|before))`,
  'want it (?:all )?to (?:end|be over)(?! (?:early|by|on|at|with))',
  'done with (?:life|living)',
  '(?:give|given|giving|gave) up on (?:my )?life',
  'goodbye (?:forever|cruel world|world)',

  // No wish or reason to live.
  `(?:dont|do not|doesnt|didnt|not|no longer|never) (?:even |really )?(?:want|wanting|wanna|wish) (?:to )?(?:even )?(?:keep |go on |continue )?(?:live|living|be alive|exist|existing)${somewhere}`,
  '(?:dont|do not|doesnt|didnt|no longer) (?:even |really )?(?:want to|wanna) be (?:here|around|on this earth|in this world) (?:any ?more|any ?longer|at all)',
  '(?:no longer|not) want to be (?:here|around)$',
  '(?:no|any|need an?|(?:dont|do not|didnt|cant|can ?not|never) (?:even |really )?(?:see|have|find) an?) (?:good )?(?:reason|point|purpose)s? (?:left )?(?:to|in|of|for|for me to) (?:live|living|life|go on|going on|be alive|being alive|exist|existing|keep going)',
  '(?:whats|what is|see) (?:the|no|any) point (?:of|in|to) (?:living|life|going on|being alive|existing|keep going)',
  'nothing (?:left )?to live for',
  '(?:not|isnt|never) worth living',
  'life (?:isnt|is not|aint) worth',
  `(?:tired|sick) of (?:living|life|being alive|existing)${somewhere}`,
  '(?:cant|can ?not) (?:live|go on)(?: living)? (?:any ?more|any ?longer|like this)',
  '(?:cant|can ?not) go on(?: living)?$',
  '(?:see|is|theres|have) no way out(?: for me)?$',
  '(?:dont deserve|not meant) to (?:live|be alive)',

  // Being a burden.
  'better (?:off )?without me',
  '(?:im|i am|being|feel like|feel) (?:just |such |only |nothing but )?a burden',
  '(?:no one|nobody) would (?:even )?(?:care|notice|miss me|cry) if i (?:died|was|were|wasnt|werent|disappeared|killed)',

  // Hurting oneself.
  'self ?(?:harm|injur|mutilat)\\w*',
  `harm(?:ed|ing)? ${oneself}`,
  `${about} ${upTo}(?:hurt|cut|burn|starv|poison|stab)(?:e|ing|ting|bing)? ?my ?self`,
  '(?:hurt|cut|burn|starv|stab)(?:e|ing|ting|bing)? ?my ?self (?:again|on purpose|because|when|to feel|every|tonight|so)',
  'i (?:cut|burn|burned|hurt) my ?self(?: (?:last night|yesterday|today|this (?:morning|week)))?$',
  '(?:cutting|burning) my ?self(?! out)',
  '(?:im|i am|been|started|start|back to|urges? to|relapsed) (?:cut|cutting)(?: again| my (?:arm|leg|wrist|thigh)s?|$)',
  '(?:slit|slash|slice|cut)(?:ing|ting)? my (?:wrists?|veins|throat)',
  '(?:hang|shoot|drown|poison|gas|stab|suffocat|electrocut)(?:e|ing|bing)? my ?self',

  // Method.
  'overdos\\w*',
  `${about} ${upTo}od`,
  '(?:take|taking|took|swallow|swallowing|swallowed) (?:all|the whole|every|too many|a bunch)(?: (?:of|my|the|these|those|bottle))* (?:pills|meds|medication|tablets|bottle)(?! (?:as|every|each|daily|regularly|on time|with))',
  `${about} ${upTo}jump(?:ing)? (?:off|from|in front of|out of)(?! (?:the couch|a plane|one))`,
  '(?:put|putting) a (?:bullet|gun) (?:in|to) my head',
  'ways? to (?:die+|end it)',
  '(?:thoughts|think|thinking) (?:of|about) (?:my own )?(?:death(?! of)|dying|ending (?:it|everything))',
];

const quiero =
  '(?:quiero|quisiera|quise|queria|gustaria|deseo|deseaba|prefiero|preferiria|necesito|merezco|ojala|ganas de|pienso en|pensando en|voy a|vuelto a|volvi a|impulsos? de)';
/** Filler words, like `soft`. */
const y = '(?:(?:ya|solo|me|mas|a veces|mejor|que|pudiera|nunca|seguir) )*';
/** Like `somewhere`, in Spanish. */
const enAlgo =
  '(?! (?:en (?!este (?:mundo|dolor|infierno))|con (?!este (?:dolor|sufrimiento))|aqui|alli|ahi|lejos|cerca|sol[oa]|junt[oa]s))';

const spanish = [
  'autolesi\\w+',
  'sobredosis',

  // Wish to be dead.
  `${quiero} ${y}morir(?:me)?(?! por (?:cristo|jesus|dios|mi fe|ella|el|ti|mis hijos))`,
  `${quiero} ${y}(?:estar|estuviera|estuviese) muert[oa]`,
  '(?:me|se) (?:quiero|quisiera|queria|quiere) (?:morir|matar|quitar la vida|hacer dano)',
  'mejor muert[oa]',
  'ojala (?:me )?(?:muriera|muriese|muera|no (?:hubiera|hubiese) nacido|no existiera)',
  'no (?:hubiera|hubiese|haber) nacido',
  'dej(?:a|e|en)me morir',
  '(?:no|nunca|jamas) (?:volver a )?(?:quiero )?(?:despertar|despierte)(?:me)?(?! (?:temprano|tarde|a las|antes|al|a los))',

  // Ending one's life.
  '(?:matar|ahorcar|envenenar)(?:me|se)',
  'me mato$',
  'me voy a (?:matar|ahorcar|quitar la vida)',
  '(?:quitar(?:me|se)?|me quito|me quite|se quito) la vida',
  '(?:acabar|terminar) con (?:mi|su) (?:vida|existencia)',
  `${quiero} ${y}(?:acabar|terminar) con todo`,
  'poner(?:le)? fin a (?:mi|su) vida',
  'pegarme un tiro',
  '(?:tirar|lanzar|aventar)me (?:de|desde|por|a|al) (?:(?:un|el|la|una|las) )?(?:puente|balcon|ventana|edificio|vias|techo|tren|metro)',
  '(?:tomar|tragar)(?:me)? (?:todas|muchas|un frasco de)(?: (?:las|mis))? (?:pastillas|pildoras)',

  // No wish or reason to live.
  `no (?:quiero|quisiera|deseo|puedo) ${y}(?:vivir|viviendo|existir)${enAlgo}`,
  'no quiero (?:ya )?estar (?:viv[oa]|en este mundo|mas aqui|aqui mas)',
  'ya no quiero estar aqui$',
  'no (?:quiero|puedo) seguir(?: mas| asi)?$',
  'no (?:aguanto|soporto) (?:mas )?(?:vivir|la vida|esta vida)',
  'no (?:le )?(?:veo|encuentro) (?:el |ningun )?sentido a (?:la|mi) vida',
  'pienso en (?:la|mi) muerte(?! de)',
  '(?:sin|ni|no tengo|perdi las|no hay|no encuentro|ninguna) (?:ganas|razon(?:es)?|motivos?|sentido) (?:de|para|por|por la que) (?:seguir )?(?:vivir|viviendo)',
  'no (?:vale la pena|tiene sentido|merezco) (?:seguir )?(?:vivir|viviendo|la vida)',
  '(?:mi|la) vida (?:ya )?no (?:tiene sentido|vale)',
  `cansad[oa] de (?:vivir|la vida|esta vida)${enAlgo}`,
  `${quiero} ${y}desaparecer(?! (?:de|por|con|un))`,
  'desaparecer para siempre',
  '(?:mejor|estarian|estaria) sin mi',
  'soy (?:solo |solamente )?una carga',
  'nadie me (?:extranaria|echaria de menos)',

  // Hurting oneself.
  '(?:hacer(?:me|se)|me (?:hago|hice|hacia)) dano',
  `${quiero} ${y}(?:lastimar|cortar|quemar|herir)me`,
  'me (?:quiero|quisiera|voy a) (?:lastimar|quemar|cortar(?! (?:el|las unas|las puntas)))',
  'me (?:corto|lastimo)$',
  'me quemo a proposito',
  '(?:lastimar(?:me|se)|cortarme|me corto|me corte) (?:de alguna manera|a proposito|otra vez|de nuevo|las venas|las munecas|los brazos)',
];

const idiom = new RegExp(`\\b(?:${idioms.join('|')})\\b`, 'g');
// Separate expressions: a single combined one would take phones most of a second to compile.
const phrases = [...english, ...spanish].map((phrase) => new RegExp(`\\b(?:${phrase})(?!\\w)`));

/** Detects phrases about suicide or self-harm. Runs on the person's own device and records nothing. */
export function mentionsSelfHarm(text: string): boolean {
  // Some phrases count only at the end of a sentence; others span sentences or lines.
  return [text, ...text.split(/[.!?;\n]+/)].some((part) => {
    const words = plainWords(part).replaceAll(idiom, ' ');
    return phrases.some((phrase) => phrase.test(words));
  });
}

/**
 * Normalizes to lowercase words without accents, apostrophes or invisible characters, and joins l e t t e r s spaced
 * apart. Keeps only Latin letters, because Unicode letter classes compile slowly.
 */
function plainWords(text: string): string {
  return text
    .replaceAll(/['’‘`´ʼ]/g, '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .toLowerCase()
    .replaceAll(/(?<![a-z0-9])(?:[a-z][^a-z0-9]){3,}[a-z](?![a-z0-9])/g, (spelled) =>
      spelled.replaceAll(/[^a-z]/g, ''),
    )
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}
