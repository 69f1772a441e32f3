#include "objects.h"


void *as_cf_make(kind kind, size_t size) {
    head *object = calloc(1, size);
    if (!object) return NULL;
    object->kind = (uint8_t)kind;
    atomic_init(&object->references, 1);
    return object;
}

static bool is_constant(CFTypeRef object) { return *(const uint8_t *)object == CONSTANT; }

CFTypeID as_cf_kind(CFTypeRef object) {
    if (!object) return 0;
    return is_constant(object) ? STRING : ((const head *)object)->kind;
}

/* Returns the header of an object; NULL for a constant, which is never released. */
static head *head_of(CFTypeRef object) {
    return object && !is_constant(object) ? (head *)(uintptr_t)object : NULL;
}

CFTypeRef CFRetain(CFTypeRef object) {
    head *head = head_of(object);
    if (head) atomic_fetch_add_explicit(&head->references, 1, memory_order_relaxed);
    return object;
}

void CFRelease(CFTypeRef object) {
    head *head = head_of(object);
    if (!head) return;
    if (atomic_fetch_sub_explicit(&head->references, 1, memory_order_acq_rel) > 1) return;
    as_cf_release_values(head);
    free(head);
}

static bool are_equal_numbers(CFNumberRef left, CFNumberRef right) {
    if (left->is_real || right->is_real) return left->real == right->real;
    return left->whole == right->whole;
}

Boolean CFEqual(CFTypeRef left, CFTypeRef right) {
    if (left == right) return true;
    if (!left || !right || as_cf_kind(left) != as_cf_kind(right)) return false;
    switch (as_cf_kind(left)) {
    case STRING: return CFStringCompare(left, right, 0) == kCFCompareEqualTo;
    case NUMBER: return are_equal_numbers(left, right);
    case ARRAY: return as_cf_are_equal_arrays(left, right);
    case DICTIONARY: return as_cf_are_equal_dictionaries(left, right);
    }
    return false;
}

CFTypeID CFGetTypeID(CFTypeRef object) { return as_cf_kind(object); }
CFTypeID CFStringGetTypeID(void) { return STRING; }
CFTypeID CFNumberGetTypeID(void) { return NUMBER; }
CFTypeID CFArrayGetTypeID(void) { return ARRAY; }
CFTypeID CFDictionaryGetTypeID(void) { return DICTIONARY; }

void CFShow(CFTypeRef object) {
    switch (as_cf_kind(object)) {
    case STRING: fprintf(stderr, "%s\n", as_cf_text(object)); break;
    case NUMBER: fprintf(stderr, "%g\n", ((CFNumberRef)object)->real); break;
    case ARRAY: fprintf(stderr, "array of %ld\n", CFArrayGetCount(object)); break;
    case DICTIONARY: fprintf(stderr, "dictionary of %ld\n", CFDictionaryGetCount(object)); break;
    default: fputs("(null)\n", stderr);
    }
}

/* MARK: Numbers */

CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value) {
    (void)allocator;
    if (!value) return NULL;
    struct as_cf_number *number = as_cf_make(NUMBER, sizeof *number);
    if (!number) return NULL;
    switch (type) {
    case kCFNumberSInt8Type:
    case kCFNumberCharType: number->whole = *(const int8_t *)value; break;
    case kCFNumberSInt16Type:
    case kCFNumberShortType: number->whole = *(const int16_t *)value; break;
    case kCFNumberSInt32Type:
    case kCFNumberIntType: number->whole = *(const int32_t *)value; break;
    case kCFNumberSInt64Type:
    case kCFNumberLongLongType: number->whole = *(const int64_t *)value; break;
    case kCFNumberLongType:
    case kCFNumberCFIndexType: number->whole = *(const long *)value; break;
    case kCFNumberFloat32Type:
    case kCFNumberFloatType: number->real = *(const float *)value, number->is_real = true; break;
    case kCFNumberFloat64Type:
    case kCFNumberDoubleType: number->real = *(const double *)value, number->is_real = true; break;
    default:
        CFRelease(number);
        return NULL;
    }
    if (!number->is_real) number->real = (double)number->whole;
    else if (number->real > -9e18 && number->real < 9e18) number->whole = (int64_t)number->real;
    return number;
}

Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value) {
    if (!number || !value) return false;
    bool is_whole = !number->is_real || (double)number->whole == number->real;
    switch (type) {
    case kCFNumberSInt8Type:
    case kCFNumberCharType: return *(int8_t *)value = (int8_t)number->whole, is_whole && *(int8_t *)value == number->whole;
    case kCFNumberSInt16Type:
    case kCFNumberShortType: return *(int16_t *)value = (int16_t)number->whole, is_whole && *(int16_t *)value == number->whole;
    case kCFNumberSInt32Type:
    case kCFNumberIntType: return *(int32_t *)value = (int32_t)number->whole, is_whole && *(int32_t *)value == number->whole;
    case kCFNumberSInt64Type:
    case kCFNumberLongLongType: return *(int64_t *)value = number->whole, is_whole;
    case kCFNumberLongType:
    case kCFNumberCFIndexType: return *(long *)value = (long)number->whole, is_whole;
    case kCFNumberFloat32Type:
    case kCFNumberFloatType: return *(float *)value = (float)number->real, true;
    case kCFNumberFloat64Type:
    case kCFNumberDoubleType: return *(double *)value = number->real, true;
    }
    return false;
}
